/** What the user reads: what happened, and what to do next. */
export interface Message {
	message: string;
	description: string;
}

/** In place of a status that nobody has heard yet. */
export const NO_STATUS = 'not known';

/**
 * How a person comes back to a task: when the node stopped, by retrying the execution too; when it
 * went on, n8n has nothing to retry, and running the workflow anew would create and pay anew.
 */
export type Recovery = 'retry' | 'getTask';

/** A quote that ends like a sentence, whether the service's own words do or not. */
export const quoted = (words: string): string => `“${words}”${/[.!?…]$/.test(words) ? '' : '.'}`;
