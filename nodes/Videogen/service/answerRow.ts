import type { ErrorKind, Words } from '../ground/words';
import type { NetworkReason, ServiceError, StatusError, UnreadableError } from './answer';
import { noAnswerWords, unreadableWords } from './answerWords';
import type { GenerationRequest } from './contract/request';

/** What one answer means: for what is sent next, for workflows, and for people. */
export interface Row<Verdict> {
	verdict: Verdict;
	kind: ErrorKind;
	/** What happened, and what to do next as one sentence, if there is something. */
	words: Words;
}

/** A row of a table. */
export interface StatusRow<Verdict> {
	fits(error: StatusError): boolean;
	verdict: Verdict;
	kind: ErrorKind;
	words: Words | ((error: StatusError, request?: GenerationRequest) => Words);
}

/** All answers to one kind of request that bring no task. */
export interface Answers<Verdict> {
	/** By the status; the first row that fits counts, and the last one fits all. */
	rows: Array<StatusRow<Verdict>>;
	/** What it means that there was no answer. */
	network: Record<NetworkReason, [Verdict, ErrorKind]>;
	unreadable(error: UnreadableError): [Verdict, ErrorKind];
}

/** What an answer means. */
export function rowOf<Verdict>(
	{ rows, network, unreadable }: Answers<Verdict>,
	error: ServiceError,
	request?: GenerationRequest,
): Row<Verdict> {
	if (error.kind === 'network') {
		const [verdict, kind] = network[error.reason];
		return { verdict, kind, words: noAnswerWords(error.reason) };
	}
	if (error.kind === 'unreadable') {
		const [verdict, kind] = unreadable(error);
		return { verdict, kind, words: unreadableWords(error) };
	}
	const row = rows.find(({ fits }) => fits(error));
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
