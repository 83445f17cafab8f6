import type {
	NetworkReason,
	ServiceError,
	StatusError,
	UnreadableReason,
} from '../../../nodes/Videogen/service/types';
import {
	askedPauseMs,
	createRow,
	endOf,
	failureOfCreate,
	failureOfRead,
	isConnected,
	laterFailureOf,
	namedTaskIdOf,
	readRow,
	rejectsKey,
} from '../../../nodes/Videogen/service/responseRules';
import { asTask } from '../../../nodes/Videogen/service/task';

const status = (code: number, more: Partial<StatusError> = {}): StatusError => ({
	...{ kind: 'status', status: code, isJson: true },
	...more,
});
const inText = (code: number) => status(code, { isJson: false });
const page = (code: number) => status(code, { isJson: false, isPage: true });
const network = (reason: NetworkReason): ServiceError => ({ kind: 'network', reason });
const unreadable = (reason: UnreadableReason, more: object = {}): ServiceError => ({
	...{ kind: 'unreadable', reason, excerpt: '' },
	...more,
});
const said = (code: number, serviceMessage: string, more: Partial<StatusError> = {}) =>
	status(code, { serviceMessage, ...more });

const madeBy = (error: ServiceError): string => createRow(error).made;

describe('what an answer to a create means', () => {
	const REDIRECTS = [301, 302, 307, 308];
	const REFUSALS = [400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416];
	const RARE_REFUSALS = [417, 418, 421, 422, 423, 424, 426, 428, 431, 451];

	test.each([...REDIRECTS, ...REFUSALS, ...RARE_REFUSALS, 501])(
		'%i is a no, in JSON, in text or as a page',
		(code) =>
			expect([status(code), inText(code), page(code)].map(madeBy)).toEqual(['no', 'no', 'no']),
	);

	test('503 is a no when the service itself says so, which speaks JSON', () => {
		expect([status(503), inText(503)].map(madeBy)).toEqual(['no', 'maybe']);
	});

	const OTHER_REDIRECTS = [300, 303, 304, 305, 306, 399];
	const UNOFFICIAL = [419, 420, 427, 430, 440, 444, 449, 450, 452, 460, 463, 494, 495, 498, 499];
	const SERVER_ERRORS = [500, 502, 504, 505, 507, 508, 511, 529];
	const OF_PROXIES = [520, 521, 522, 523, 524, 525, 526, 527, 530, 598, 599];

	test.each([
		...[...OTHER_REDIRECTS, ...UNOFFICIAL, ...SERVER_ERRORS],
		...[...OF_PROXIES, 100, 199, 408, 425, 600],
	])('after %i a task may exist, and a page names Base URL first', (code) => {
		const maybe = { made: 'maybe', kind: 'noAnswer', message: 'noAnswer' };
		expect(createRow(status(code))).toMatchObject(maybe);
		expect(createRow(inText(code))).toMatchObject(maybe);
		expect(createRow(page(code))).toMatchObject({ ...maybe, message: 'noAnswer.webPage' });
	});

	test.each<[ServiceError, made: string, message: string]>([
		[status(429), 'later', 'rateLimited'],
		[network('connectionRefused'), 'later', 'address'],
		[network('noRoute'), 'later', 'address'],
		[network('unknownHost'), 'later', 'address'],
		[network('connectTimeout'), 'later', 'address'],
		[network('tls'), 'no', 'address'],
		[network('blocked'), 'no', 'address'],
		[network('timeout'), 'maybe', 'noAnswer'],
		[network('lost'), 'maybe', 'noAnswer'],
		[unreadable('html'), 'maybe', 'noAnswer.webPage'],
		[unreadable('empty'), 'maybe', 'noAnswer'],
		[unreadable('notTask'), 'maybe', 'noAnswer'],
		[status(400), 'no', 'refused'],
		...[status(413), page(413)].map((error): [ServiceError, string, string] => [
			...([error, 'no', 'refused.tooLarge'] as const),
		]),
		[status(401), 'no', 'key'],
		[status(403), 'no', 'key.notAllowed'],
		[inText(403), 'no', 'address'],
		[status(402), 'no', 'balance'],
		[status(404), 'no', 'address.notApi'],
		[status(405), 'no', 'address.notApi'],
		...[400, 404, 410].map((code): [ServiceError, string, string] => [
			...([page(code), 'no', 'address.notApi'] as const),
		]),
		[inText(400), 'no', 'refused'],
		[inText(410), 'no', 'address.notApi'],
		[status(407), 'no', 'address'],
		[status(302), 'no', 'address.notApi'],
		[status(501), 'no', 'serviceError'],
		[status(503), 'no', 'serviceError'],
		// A code says more than a status, and words decide about content alone.
		[status(400, { code: 'content_policy_violation' }), 'no', 'moderation'],
		[status(403, { code: 'content_policy_violation' }), 'no', 'moderation'],
		[said(422, 'Stopped by our safety system'), 'no', 'moderation'],
		[said(422, 'A real person was found'), 'no', 'refused'],
		[status(401, { code: 'content_policy_violation' }), 'no', 'key'],
		[status(402, { code: 'content_policy_violation' }), 'no', 'balance'],
		[status(503, { code: 'content_policy_violation' }), 'no', 'serviceError'],
		[status(500, { code: 'content_policy_violation' }), 'maybe', 'noAnswer'],
		[status(403, { code: 'quota_exceeded' }), 'no', 'balance'],
		[said(400, 'Insufficient credits'), 'no', 'refused'],
		// An account without money, and limits of requests.
		...[429, 400, 402, 403].map((code): [ServiceError, string, string] => [
			...([status(code, { code: 'insufficient_quota' }), 'no', 'balance'] as const),
		]),
		[status(429, { code: 'InsufficientBalance' }), 'no', 'balance'],
		[status(429, { code: 'rate_limit_exceeded' }), 'later', 'rateLimited'],
		[status(429, { code: 'quota_exceeded' }), 'later', 'rateLimited'],
		[status(429, { code: 'insufficient_quota_per_minute' }), 'later', 'rateLimited'],
		[said(429, 'Insufficient quota'), 'later', 'rateLimited'],
		// A model that the service does not know.
		...[400, 403, 404, 422, 429, 503].map((code): [ServiceError, string, string] => [
			...([status(code, { code: 'model_not_found' }), 'no', 'refused.model'] as const),
		]),
		...[400, 404, 422, 503].map((code): [ServiceError, string, string] => [
			...([status(code, { param: 'body.model' }), 'no', 'refused.model'] as const),
		]),
		[status(400, { code: 'InvalidEndpointOrModel.NotFound' }), 'no', 'refused.model'],
		[status(500, { code: 'model_not_found' }), 'maybe', 'noAnswer'],
		[status(503, { code: 'model_overloaded' }), 'no', 'serviceError'],
		[status(429, { param: 'model' }), 'later', 'rateLimited'],
		[said(400, 'Unknown model x'), 'no', 'refused.model'],
		[said(404, 'The model `x` does not exist'), 'no', 'refused.model'],
		[said(403, 'You do not have access to the model'), 'no', 'refused.model'],
		[said(422, 'model "x" not found'), 'no', 'refused.model'],
		[said(400, 'Duration 20 is not supported by this model'), 'no', 'refused'],
		[said(400, 'The model could not read the first image'), 'no', 'refused'],
		[said(400, 'The model says that the image was not found'), 'no', 'refused'],
		[said(400, 'Unknown model x', { param: 'quality' }), 'no', 'refused'],
		[said(400, 'No', { param: 'model_params.seed' }), 'no', 'refused'],
		[said(404, 'No such path'), 'no', 'address.notApi'],
		// The idempotency key.
		[status(409), 'maybe', 'noAnswer.knownKey'],
		[said(422, 'This idempotency key had another request'), 'maybe', 'noAnswer.knownKey'],
		[status(400, { code: 'paid_outcome_unknown' }), 'maybe', 'noAnswer.knownKey'],
		[said(403, 'The Idempotency-Key is in use'), 'no', 'key.notAllowed'],
	])('%j: a task exists: %s, and the message is %s', (error, made, message) => {
		const isAgain = made === 'later';
		const expected = { made: isAgain ? 'no' : made, closesGate: isAgain, message };
		expect(createRow(error)).toMatchObject(expected);
	});

	const named = { namedTaskId: 'task_1' };
	const NAMING = [302, 400, 401, 409, 422, 429, 500, 503].map((code) =>
		said(code, 'Idempotency key in use', named),
	);
	test.each([...NAMING, unreadable('notTask', named)])(
		'%j names a task, which may exist, whatever else is said',
		(error) => {
			expect(createRow(error)).toMatchObject({ made: 'maybe', message: 'noAnswer.namedTask' });
			expect(namedTaskIdOf(error)).toBe('task_1');
		},
	);
});

describe('what an answer to a read means', () => {
	test.each<[ServiceError, again: string, kind: string]>([
		[status(429), 'limited', 'rateLimited'],
		[status(404), 'notFound', 'notFound'],
		[status(400), 'never', 'notFound'],
		[status(410), 'never', 'notFound'],
		[inText(400), 'never', 'notFound'],
		// A page is that of a website, or of a server in front of the service.
		...[400, 404, 410].map((code): [ServiceError, string, string] => [
			...([page(code), 'notFound', 'address'] as const),
		]),
		// So is plain text: the service speaks JSON.
		...[404, 410].map((code): [ServiceError, string, string] => [
			...([inText(code), 'notFound', 'address'] as const),
		]),
		[status(402), 'never', 'balance'],
		[status(405), 'never', 'address'],
		[status(302), 'never', 'address'],
		[status(399), 'never', 'address'],
		[status(409), 'never', 'refused'],
		[status(418), 'never', 'refused'],
		[status(422, { code: 'content_policy_violation' }), 'never', 'refused'],
		[status(400, { code: 'quota_exceeded' }), 'never', 'notFound'],
		[status(499), 'never', 'refused'],
		...[408, 425, 500, 501, 502, 503, 504, 599].map((code): [ServiceError, string, string] => [
			...([status(code), 'passes', 'serviceError'] as const),
		]),
		[page(502), 'passes', 'serviceError'],
		// One of these between good answers is no reason to end a wait.
		[status(401), 'denied', 'key'],
		[status(403), 'denied', 'key'],
		[inText(403), 'denied', 'address'],
		[status(407), 'denied', 'address'],
		[network('tls'), 'denied', 'address'],
		[network('blocked'), 'never', 'address'],
		[network('connectionRefused'), 'passes', 'address'],
		[network('connectTimeout'), 'passes', 'address'],
		[network('timeout'), 'passes', 'serviceError'],
		[network('lost'), 'passes', 'serviceError'],
		[unreadable('empty'), 'passes', 'serviceError'],
		[unreadable('html'), 'passes', 'address'],
		[unreadable('otherTask'), 'passes', 'serviceError'],
	])('%j: %s, of the kind %s', (error, again, kind) =>
		expect(readRow(error)).toMatchObject({ again, kind }),
	);
});

test('what reached nobody, what rejects the key, and who asks for time', () => {
	const errors = [network('noRoute'), network('tls'), network('lost'), status(401), status(403)];
	expect(errors.map(isConnected)).toEqual([false, true, true, true, true]);
	expect(errors.map(rejectsKey)).toEqual([false, false, false, true, false]);
	expect(askedPauseMs(status(429, { retryAfterMs: 7 }))).toBe(7);
	expect(askedPauseMs(network('lost'))).toBeUndefined();
	expect(namedTaskIdOf(network('lost'))).toBeUndefined();
});

/** What they say in words is held by `shared/messages.test.ts`. */
describe('the failure of a create', () => {
	const request = { model: 'fox-9-text-to-video', prompt: 'a' };

	test.each<[ServiceError, fact: string]>([
		[said(400, 'Too long', { code: 'too_long', param: 'prompt' }), 'code too_long, field prompt'],
		[status(400, { code: 'model_not_found' }), '"fox-9-text-to-video" (400)'],
		[status(302, { location: 'https://e.com/<b>' }), 'https://e.com/‹b› (302)'],
		[status(302), 'another URL (302)'],
		[status(404), 'path (404)'],
		[page(404), 'a web page came back (404)'],
		[status(407), 'proxy asks for a login (407)'],
		[inText(403), 'firewall rejected the request (403)'],
		[network('unknownHost'), 'host name was not found'],
		[status(429, { retryAfterMs: 60_000 }), '(429)'],
		[network('lost'), 'connection was lost'],
		[page(502), '(502)'],
		[unreadable('notJson', { excerpt: 'id=7' }), '"id=7"'],
		[unreadable('notTask', { excerpt: '{', serviceMessage: 'No' }), '"No ({)"'],
		[status(500, { namedTaskId: 'task_7' }), "'Get Task' with the ID task_7,"],
		[status(409), "'Idempotency Key'"],
	])('%j says %s', (error, fact) => {
		const failure = failureOfCreate(error, { request, baseUrl: 'https://localhost.example.com' });
		expect([failure.kind, `${failure.message} ${failure.description}`]).toEqual([
			...[createRow(error).kind, expect.stringContaining(fact)],
		]);
	});

	test.each([
		['http://localhost:8080', 'connectionRefused', true],
		['http://127.0.0.1/api', 'connectionRefused', true],
		['http://[::1]:9', 'connectionRefused', true],
		['http://localhost:8080', 'unknownHost', false],
		['https://localhost.example.com', 'connectionRefused', false],
		['https://api.example.com', 'connectionRefused', false],
	] as const)('at %s, %s is one of containers: %s', (baseUrl, reason, isLocal) => {
		const read = { taskId: 'task_1', isKnown: false, baseUrl };
		const faults = [
			failureOfCreate(network(reason), { baseUrl }),
			failureOfRead(network(reason), read),
		];
		for (const { kind, description } of faults)
			expect([kind, description.includes('host.docker.internal')]).toEqual(['address', isLocal]);
	});
});

test.each<[ServiceError, fact: RegExp]>([
	[said(500, 'Busy'), /was not sent again.* one \(500\).*"Busy"/],
	[status(409), /already received.*\(409\)/],
	[status(500, { namedTaskId: 'task_7' }), /names a task.*task_7/],
])('%j is repeated while it is not sent again', (error, fact) => {
	const { message, description } = laterFailureOf(error, {});
	expect(`${message} ${description}`).toMatch(fact);
});

describe('the failure of a read', () => {
	const failure = (error: ServiceError, isKnown: boolean) =>
		failureOfRead(error, { taskId: 'task_1', isKnown });

	test.each([404, 400, 410])('%i is that there is no such task, known or not', (code) => {
		const message = expect.stringContaining(`task_1 (${code})`);
		for (const isKnown of [true, false]) {
			const found = failure(status(code), isKnown);
			expect(found).toMatchObject({ kind: 'notFound', message });
			// Only Get Task has this field.
			expect(found.description.includes("'Task ID'")).toBe(!isKnown);
		}
	});

	test.each<[ServiceError, kind: string, why: string]>([
		[status(401), 'key', 'the provider rejected the API key (401)'],
		[said(503, 'Down'), 'serviceError', 'the provider is not available right now (503)'],
		[network('tls'), 'address', 'no secure connection was possible'],
		[page(404), 'address', 'a web page came back (404)'],
		[inText(404), 'address', 'it does not know this path (404)'],
		[network('lost'), 'serviceError', '(the connection was lost)'],
	])('%j of a task that exists names it, and why it was not read', (error, kind, why) => {
		const known = failure(error, true);
		expect(known).toMatchObject({ kind, message: expect.stringContaining(why) });
		expect(known.description).toContain("use 'Get Task' with the ID task_1");
		expect(known.description.includes("Correct 'API Key'")).toBe(kind === 'key');
		expect(known.description.includes('"Down"')).toBe(
			kind === 'serviceError' && why.includes('503'),
		);
		const unknown = failure(error, false);
		expect([unknown.kind, JSON.stringify(unknown).includes('created')]).toEqual([kind, false]);
	});
});

describe('how a task ended', () => {
	const end = (word: string, error?: unknown) => {
		const task = asTask({ id: 'task_1', status: word, error });
		return task && endOf(task);
	};

	test.each<[status: string, error: unknown, state: string, kind: string, said: string]>([
		['failed', undefined, 'failed', 'failed', ''],
		['FAILURE', undefined, 'failed', 'failed', 'FAILURE'],
		['timeout', undefined, 'failed', 'failed', 'timeout'],
		['timeout', 'Too slow', 'failed', 'failed', 'Too slow'],
		['failed', { code: 'unknown_error', message: 'It broke' }, 'failed', 'failed', 'It broke'],
		['failed', { code: 'resource_exhausted' }, 'failed', 'failed', 'resource_exhausted'],
		['failed', { code: 'quota_exceeded' }, 'failed', 'balance', 'quota_exceeded'],
		['failed', 'Not enough credits', 'failed', 'failed', 'Not enough credits'],
		['failed', { code: 'content_filter' }, 'final', 'moderation', 'content_filter'],
		['error', { message: 'Blocked by moderation' }, 'final', 'moderation', 'Blocked'],
		['error', { message: 'A real person was found' }, 'failed', 'failed', 'A real person'],
		['canceled', { code: 'content_filter' }, 'final', 'cancelled', 'content_filter'],
		['expired', undefined, 'final', 'expired', ''],
	])('%s with the error %j is %s, of the kind %s', (word, error, state, kind, words) => {
		const ended = end(word, error);
		expect(ended).toMatchObject({ state, failure: { kind } });
		const { description = '' } = ended?.failure ?? {};
		expect(description.includes('The provider says')).toBe(words !== '');
		expect(description).toContain(words);
	});

	test.each(['pending', 'completed', 'uploading'])('%s is no such end', (word) =>
		expect(end(word)).toBeUndefined(),
	);
});
