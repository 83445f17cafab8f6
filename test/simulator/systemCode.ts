/**
 * The code that Node gives its own errors, such as EADDRINUSE. It does not ask for `instanceof
 * Error`, since Jest runs tests in a realm whose `Error` is another one.
 */
export const systemCodeOf = (reason: unknown): string | undefined =>
	typeof reason === 'object' &&
	reason !== null &&
	'code' in reason &&
	typeof reason.code === 'string'
		? reason.code
		: undefined;
