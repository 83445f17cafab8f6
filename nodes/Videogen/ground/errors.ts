/** n8n wraps axios's errors, which wrap Node's. What is longer than this is a loop. */
const MAX_CHAIN_LENGTH = 8;

/** Where wrappers keep what they wrapped. */
const LINKS = ['cause', 'error', 'errorResponse', 'errors'];

/** The first value that `find` gives for an error or for one that it wraps. */
export function findInErrors<T>(
	thrown: unknown,
	find: (error: object) => T | undefined,
	depth = 0,
): T | undefined {
	if (depth > MAX_CHAIN_LENGTH || typeof thrown !== 'object' || thrown === null) return undefined;
	const own = find(thrown);
	if (own !== undefined) return own;
	for (const link of LINKS) {
		const inner: unknown = Reflect.get(thrown, link);
		const found = findInErrors(Array.isArray(inner) ? inner[0] : inner, find, depth + 1);
		if (found !== undefined) return found;
	}
	return undefined;
}

/**
 * The system's or library's codes of an error, such as `ECONNRESET`. n8n 1.123 and 2.0 drop the
 * cause of what they wrap, and leave its code only where an HTTP status would be; 2.41 keeps both.
 */
export const codesOf = (error: object): string[] =>
	['code', 'httpCode']
		.map((key): unknown => Reflect.get(error, key))
		.filter((code) => typeof code === 'string');

/**
 * What an error says of the system's call that failed: `connect`, and in texts `connect ECONNREFUSED
 * 127.0.0.1:443`. n8n 1.123 and 2.0 drop the call with the cause. The text survives in `messages`,
 * and for a host with two addresses, in 2.0, only in `description`.
 */
export const textsOf = (error: object): string[] =>
	['syscall', 'message', 'messages', 'description']
		.flatMap((key): unknown => Reflect.get(error, key))
		.filter((text) => typeof text === 'string');

/** The name of an error's class, because nodes cannot import the classes of n8n's errors. */
const nameOf = (error: object): string => error.constructor?.name ?? '';

/** Whether n8n blocks the address, which 2.41 can be set to do; 1.123 and 2.0 cannot. */
export const isBlockedByN8n = (error: object): boolean => nameOf(error).startsWith('Ssrf');

/** Whether a file is larger than what n8n, from 1.123 on, stores in its database. */
export const isTooLargeForN8n = (error: object): boolean => nameOf(error) === 'FileTooLargeError';

/** Whether n8n's storage has no such file (any more), as n8n says it from 1.123 on. */
export const isFileMissing = (error: object): true | undefined =>
	nameOf(error).endsWith('FileNotFoundError') || codesOf(error).includes('ENOENT') || undefined;
