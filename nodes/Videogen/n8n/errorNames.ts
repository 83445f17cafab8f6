/** Nodes cannot import the classes of n8n's errors, so that their names tell them apart. */
const nameOf = (error: object): string => error.constructor?.name ?? '';

/** For an address that n8n 2.41 may be told to keep nodes from; 1.123 and 2.0 keep none. */
export const isBlockedByN8n = (error: object): boolean => nameOf(error).startsWith('Ssrf');

/** For a file larger than what n8n puts into its database, from 1.123 on. */
export const isTooLargeForN8n = (error: object): boolean => nameOf(error) === 'FileTooLargeError';
