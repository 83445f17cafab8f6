import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

/**
 * The error with this message. From 1.123 to 2.41, n8n replaces a message in which it finds the name
 * of a system error, even inside a quote.
 */
export function withMessage<NodeError extends NodeApiError | NodeOperationError>(
	error: NodeError,
	message: string,
): NodeError {
	error.message = message;
	return error;
}
