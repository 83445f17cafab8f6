/** A whole answer as a value, so that a fault can still delay, alter or cut it. */
export interface Reply {
	status: number;
	headers: Record<string, string>;
	/** Size of the body in bytes; large bodies are only made while they are sent. */
	length: number;
	chunks: () => Iterable<Buffer>;
	/** What a JSON body says, for faults that alter it. */
	json?: unknown;
}

/** A reply whose body is small enough to be held in memory. */
export function bodyReply(
	status: number,
	contentType: string,
	body: string | Buffer,
	headers: Record<string, string> = {},
): Reply {
	const bytes = Buffer.from(body);
	return {
		status,
		headers: { 'content-type': contentType, ...headers },
		length: bytes.length,
		chunks: () => (bytes.length === 0 ? [] : [bytes]),
	};
}

export const jsonReply = (
	status: number,
	json: unknown,
	headers: Record<string, string> = {},
): Reply => ({ ...bodyReply(status, 'application/json', JSON.stringify(json), headers), json });

/** What the service says went wrong, in the form seen in the field. */
export interface ServiceError {
	code: string;
	message: string;
	type: string;
	param: string | null;
	fallback_suggestion: string | null;
}

const DEFAULT_ERRORS: Record<number, Pick<ServiceError, 'code' | 'message' | 'type'>> = {
	400: {
		code: 'invalid_parameters',
		message: 'The request is not valid.',
		type: 'invalid_request_error',
	},
	401: {
		code: 'unauthorized',
		message: 'The API key is missing or not valid.',
		type: 'authentication_error',
	},
	402: {
		code: 'insufficient_balance',
		message: 'The balance of the account is too low.',
		type: 'billing_error',
	},
	403: {
		code: 'model_access_denied',
		message: 'The API key has no access to this model.',
		type: 'permission_error',
	},
	404: { code: 'not_found', message: 'Not found.', type: 'invalid_request_error' },
	405: {
		code: 'method_not_allowed',
		message: 'The method is not allowed here.',
		type: 'invalid_request_error',
	},
	410: { code: 'gone', message: 'No longer there.', type: 'invalid_request_error' },
	413: {
		code: 'request_too_large',
		message: 'The request is too large.',
		type: 'invalid_request_error',
	},
	429: {
		code: 'rate_limit_exceeded',
		message: 'Too many requests.',
		type: 'rate_limit_error',
	},
};

const UNAVAILABLE = {
	code: 'service_unavailable',
	message: 'The service is not available right now.',
	type: 'api_error',
};

/** The JSON body that goes with `status`, with the given parts in place of the usual ones. */
export const errorBody = (
	status: number,
	parts: Partial<ServiceError> = {},
): { error: ServiceError } => ({
	error: {
		...(DEFAULT_ERRORS[status] ?? UNAVAILABLE),
		param: null,
		fallback_suggestion: null,
		...parts,
	},
});

export const errorReply = (
	status: number,
	parts: Partial<ServiceError> = {},
	headers: Record<string, string> = {},
): Reply => jsonReply(status, errorBody(status, parts), headers);
