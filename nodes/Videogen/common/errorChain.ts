/** Errors come wrapped (n8n around axios around Node); deeper than this is no chain but a loop. */
const MAX_CHAIN_LENGTH = 8;

/** Where wrappers keep what they wrapped. */
const linksOf = (error: object): unknown[] => [
	'cause' in error ? error.cause : undefined,
	'error' in error ? error.error : undefined,
	'errorResponse' in error ? error.errorResponse : undefined,
	'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined,
];

/** The first thing that `look` finds in an error or in what the error wraps. */
export function findInErrors<T>(
	thrown: unknown,
	look: (error: object) => T | undefined,
	depth = 0,
): T | undefined {
	if (depth > MAX_CHAIN_LENGTH || typeof thrown !== 'object' || thrown === null) return undefined;
	const own = look(thrown);
	if (own !== undefined) return own;
	for (const link of linksOf(thrown)) {
		const found = findInErrors(link, look, depth + 1);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** The system's or library's code of an error, such as `ECONNRESET`. */
export const codeOf = (error: object): string | undefined =>
	'code' in error && typeof error.code === 'string' ? error.code : undefined;
