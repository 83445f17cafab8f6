/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { STATUS_CODES } from 'node:http';

/** A whole answer as a value, so that a fault can still delay, alter or cut it. */
export interface Reply {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
	/** What a JSON body says, for faults that alter it. */
	json?: unknown;
}

export const bodyReply = (
	status: number,
	headers: Record<string, string>,
	body: string | Buffer,
): Reply => ({ status, headers, body: Buffer.from(body) });

export const jsonReply = (
	status: number,
	json: unknown,
	headers: Record<string, string> = {},
): Reply => ({
	...bodyReply(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(json)),
	json,
});

/** Code, message and type. */
const USUAL_ERRORS: Record<number, [code: string, message: string, type: string]> = {
	400: ['invalid_parameters', 'The request is not valid.', 'invalid_request_error'],
	401: ['unauthorized', 'The API key is missing or not valid.', 'authentication_error'],
	402: ['insufficient_balance', 'The balance of the account is too low.', 'billing_error'],
	403: ['model_access_denied', 'The API key has no access to this model.', 'permission_error'],
	404: ['not_found', 'Not found.', 'invalid_request_error'],
	429: ['rate_limit_exceeded', 'Too many requests.', 'rate_limit_error'],
};

/**
 * The JSON answer that goes with `status`, in the form seen in the field, with the given parts in
 * place of the usual ones.
 */
export function errorReply(
	status: number,
	parts: { code?: string; message?: string; param?: string } = {},
	headers: Record<string, string> = {},
): Reply {
	const usualOnes = USUAL_ERRORS[status] ?? [];
	const [code = 'error', message = STATUS_CODES[status], type = 'api_error'] = usualOnes;
	const usual = { code, message, type, param: null, fallback_suggestion: null };
	return jsonReply(status, { error: { ...usual, ...parts } }, headers);
}
