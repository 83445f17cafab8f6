/**
 * The `code` of a system error such as `ESRCH`. It asks for the field rather than the class:
 * inside Jest, Node's own errors are not instances of the `Error` that tests see.
 */
export function errorCode(error: unknown): unknown {
	return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
