import { type ErrorKind, LABELS } from '../ground/words';
import { contentAdvice, inlineAdvice, notReadWords, RUN_AGAIN } from './advice';
import type { ServiceError, StatusError } from './answer';
import {
	type Answers,
	isAny,
	isServerError,
	ofStatus,
	type Row,
	rowOf,
	type StatusRow,
} from './answerRow';
import { betweenWords, laterIn, LOW_BALANCE, WRONG_BASE_URL } from './answerWords';
import { type Cause, causeOf } from './causes';
import type { GenerationRequest } from './contract/request';
import { ALSO_OF_CREATES, FORBIDDEN } from './readAnswers';
import { fieldIn, labelOf } from './requestField';

/**
 * What a create that gave no task means for paying:
 * - `rateLimited`: it made no task, and the service asks to wait; the node sends it again itself.
 * - `notConnected`: the same, and it never got to the service.
 * - `inUse`: an earlier create of the same order is under way; the node sends it again itself,
 *   unchanged and with the same key.
 * - `noTask`: it made no task; sending it again is for the user to decide.
 * - `mayExist`: a task may exist and may be billed; nothing sends it again unasked.
 */
export type CreateVerdict = 'rateLimited' | 'notConnected' | 'inUse' | 'noTask' | 'mayExist';

/**
 * The statuses that say no: by them alone a create is known to have made no task. Redirects that
 * ask for the same request elsewhere (303 points to what it has made); every 4XX in IANA's register
 * but 408, 409, 425 and 429 (unofficial ones, as 460 and 499, say that a client or a proxy gave up);
 * and of the 5XX 501, and what Cloudflare says when it did not reach the service.
 */
const NO_STATUSES = new Set([
	...[301, 302, 307, 308],
	...[400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 418],
	...[421, 422, 423, 424, 426, 428, 431, 451],
	...[501, 521, 523],
]);

/** A proxy's 503 is seldom JSON, and may come after the service has got the request. */
const saysNo = ({ status, isJson }: StatusError): boolean =>
	NO_STATUSES.has(status) || (status === 503 && isJson);

const NAMES_KEY = /idempoten|paid_outcome_unknown/i;
const SAYS_IN_USE = /in[_ -](?:use|progress|flight)|being processed|processing|concurrent/i;

const wordsIn = ({ code = '', serviceMessage = '' }: StatusError) => `${code} ${serviceMessage}`;

/** Whether it refuses the order key: an earlier create of the same order has arrived then. */
export const refusesKey = (error: StatusError): boolean =>
	error.status === 409 || (ofStatus(400, 422)(error) && NAMES_KEY.test(wordsIn(error)));

/** Whether it says that the earlier one is still under way; its words may mean anything beside a code. */
const saysInUse = (error: StatusError): boolean =>
	SAYS_IN_USE.test(NAMES_KEY.test(error.code ?? '') ? (error.code ?? '') : wordsIn(error));

const isOf =
	(cause: Cause) =>
	({ code, serviceMessage }: StatusError): boolean =>
		causeOf(code, serviceMessage) === cause;

const CHECK_MODEL_FAMILY = `Check '${LABELS.modelFamily}' in the Videogen credential, or in '${LABELS.options}': the names of the models start with it.`;

const namesModel = (error: StatusError): boolean => fieldIn(error)?.name === 'model';

const runAgain = (error: StatusError): string =>
	`Run this item again ${laterIn(error)}, or switch on Retry On Fail.`;

/** The service's own no, and what else has one kind of words. */
const noTask = (
	fits: StatusRow<CreateVerdict>['fits'],
	kind: ErrorKind,
	words: StatusRow<CreateVerdict>['words'],
): StatusRow<CreateVerdict> => ({ fits, verdict: 'noTask', kind, words });

const mayExist = (
	fits: StatusRow<CreateVerdict>['fits'],
	words: StatusRow<CreateVerdict>['words'],
): StatusRow<CreateVerdict> => ({ fits, verdict: 'mayExist', kind: 'noAnswer', words });

/** Whether a record in it says more than its status, which is not believed then. */
const namesTask = ({ namedTaskId }: StatusError): boolean => namedTaskId !== undefined;

const asNoTask = ({ fits, kind, words }: StatusRow<unknown>) => noTask(fits, kind, words);

const ROWS: Array<StatusRow<CreateVerdict>> = [
	mayExist(namesTask, ['The service answered with an error and named a task', '']),
	{
		fits: ofStatus(429),
		verdict: 'rateLimited',
		kind: 'rateLimited',
		words: (error) => [
			'Rate limit reached',
			`Try again ${laterIn(error)}, or lower '${LABELS.maxConcurrentTasks}' in '${LABELS.options}'.`,
		],
	},
	{
		fits: (error) => refusesKey(error) && saysInUse(error),
		verdict: 'inUse',
		kind: 'noAnswer',
		words: ['The service is still working on an earlier request with the same order key', ''],
	},
	mayExist(refusesKey, [
		'The service has already received a request with the same order key',
		`To order another video, change '${LABELS.orderKey}' or '${LABELS.prompt}'.`,
	]),
	mayExist(
		(error) => !saysNo(error),
		(error) => {
			if (!isServerError(error)) return ['The service did not answer clearly', ''];
			return error.isJson ? ['The service returned a server error', ''] : betweenWords('.');
		},
	),
	// Below, the answer is a no: its status is one of `NO_STATUSES`.
	...ALSO_OF_CREATES.map(asNoTask),
	noTask(isServerError, 'serviceError', (error) => [
		'The service returned a server error',
		runAgain(error),
	]),
	noTask(isOf('content'), 'moderation', (error, request) => [
		'The service refused the content',
		contentAdvice(error, request),
	]),
	noTask(isOf('balance'), 'balance', LOW_BALANCE),
	asNoTask(FORBIDDEN),
	noTask((error) => error.status === 404 && error.isJson && namesModel(error), 'refused', [
		'Model not found',
		CHECK_MODEL_FAMILY,
	]),
	noTask(ofStatus(404), 'address', WRONG_BASE_URL),
	noTask(ofStatus(413), 'refused', (_error, request) => [
		'Request too large',
		inlineAdvice(request) ?? 'Shorten the prompt or give fewer references.',
	]),
	noTask(isOf('input'), 'refused', notReadWords),
	noTask(namesModel, 'refused', ['Request not accepted', CHECK_MODEL_FAMILY]),
	noTask((error) => fieldIn(error) !== undefined, 'refused', fieldWords),
	noTask(ofStatus(400, 415, 422), 'refused', (_error, request) => [
		'Request not accepted',
		inlineAdvice(request) ?? 'Check the prompt, the URLs and the options of this item.',
	]),
	noTask(isAny, 'refused', [
		'The service refused the request',
		'Check the fields of this item and the credential.',
	]),
];

function fieldWords(error: StatusError, request?: GenerationRequest): [string, string] {
	const field = fieldIn(error);
	const label = field ? labelOf(field, request) : 'Request';
	const ofImages = field?.name === 'image_urls' ? inlineAdvice(request) : undefined;
	return [`${label} not accepted`, ofImages ?? `Change '${label}', and ${RUN_AGAIN}.`];
}

const ANSWERS: Answers<CreateVerdict> = {
	rows: ROWS,
	network: {
		connectionRefused: ['notConnected', 'address'],
		noRoute: ['notConnected', 'address'],
		unknownHost: ['notConnected', 'address'],
		connectTimeout: ['notConnected', 'address'],
		tls: ['noTask', 'address'],
		blocked: ['noTask', 'address'],
		timeout: ['mayExist', 'noAnswer'],
		lost: ['mayExist', 'noAnswer'],
	},
	unreadable: () => ['mayExist', 'noAnswer'],
};

/** What the answer to a create means that is no task. */
export const createRow = (error: ServiceError, request?: GenerationRequest): Row<CreateVerdict> =>
	rowOf(ANSWERS, error, request);
