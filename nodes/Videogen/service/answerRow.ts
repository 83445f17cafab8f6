import type { ErrorKind, Words } from '../ground/words';
import type { StatusError } from './answer';
import type { GenerationRequest } from './contract/request';

/** What one answer means: for what is sent next, for workflows, and for people. */
export interface Row<Verdict> {
	verdict: Verdict;
	kind: ErrorKind;
	/** What happened, and what to do next as one sentence, if there is something. */
	words: Words;
}

/** A row of a table of which the first that fits counts. */
export interface StatusRow<Verdict> {
	fits(error: StatusError): boolean;
	verdict: Verdict;
	kind: ErrorKind;
	words: Words | ((error: StatusError, request?: GenerationRequest) => Words);
}

/** The first row that fits. A table ends with one that fits all. */
export function rowOf<Verdict>(
	table: Array<StatusRow<Verdict>>,
	error: StatusError,
	request?: GenerationRequest,
): Row<Verdict> {
	const row = table.find(({ fits }) => fits(error));
	if (!row) throw new Error(`No row for the status ${error.status}`);
	const { verdict, kind, words } = row;
	return { verdict, kind, words: typeof words === 'function' ? words(error, request) : words };
}

export const ofStatus =
	(...statuses: number[]) =>
	({ status }: StatusError): boolean =>
		statuses.includes(status);

export const isRedirect = ({ status }: StatusError): boolean => status >= 300 && status < 400;
export const isServerError = ({ status }: StatusError): boolean => status >= 500;
export const isAny = (): boolean => true;
