/** The name of an error's class, because nodes cannot import the classes of n8n's errors. */
const nameOf = (error: object): string => error.constructor?.name ?? '';

/** Whether n8n blocks the address, which 2.41 can be set to do; 1.123 and 2.0 cannot. */
export const isBlockedByN8n = (error: object): boolean => nameOf(error).startsWith('Ssrf');

/** Whether a file is larger than what n8n, from 1.123 on, stores in its database. */
export const isTooLargeForN8n = (error: object): boolean => nameOf(error) === 'FileTooLargeError';
