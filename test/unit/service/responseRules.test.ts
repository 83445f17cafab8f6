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

const TEXT = { isJson: false };
const PAGE = { isJson: false, isPage: true };
const status = (code: number, more: Partial<StatusError> = {}): StatusError => ({
	kind: 'status',
	status: code,
	isJson: true,
	...more,
});
const network = (reason: NetworkReason): ServiceError => ({ kind: 'network', reason });
const unreadable = (reason: UnreadableReason, more: object = {}): ServiceError => ({
	kind: 'unreadable',
	reason,
	excerpt: '',
	...more,
});

const says = (serviceMessage: string, param?: string) => ({ serviceMessage, param });

describe('what an answer to a create means', () => {
	test.each([
		...[301, 302, 307, 308, 501],
		...[400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 418],
		...[421, 422, 423, 424, 426, 428, 431, 451],
	])('%i is a no, in JSON, in text or as a page', (code) => {
		for (const look of [{}, TEXT, PAGE]) expect(createRow(status(code, look)).made).toBe('no');
	});

	test.each([
		...[100, 199, 300, 303, 304, 305, 306, 399, 408, 419, 420, 425, 427, 430, 440, 444, 449],
		...[450, 452, 460, 463, 494, 495, 498, 499, 500, 502, 504, 505, 507, 508, 511, 520, 521],
		...[522, 523, 524, 525, 526, 527, 529, 530, 598, 599, 600],
	])('after %i a task may exist, and a page names Base URL first', (code) => {
		const maybe = { made: 'maybe', kind: 'noAnswer', message: 'noAnswer' };
		expect(createRow(status(code))).toMatchObject(maybe);
		expect(createRow(status(code, TEXT))).toMatchObject(maybe);
		expect(createRow(status(code, PAGE))).toMatchObject({ ...maybe, message: 'noAnswer.webPage' });
	});

	const named = { namedTaskId: 'task_1', serviceMessage: 'Idempotency key in use' };
	const NAMING = [302, 400, 401, 409, 422, 429, 500, 503].map((code) => status(code, named));
	test.each([...NAMING, unreadable('notTask', named)])(
		'%j names a task, which may exist, whatever else is said',
		(error) => {
			expect(createRow(error)).toMatchObject({ made: 'maybe', message: 'noAnswer.namedTask' });
			expect(namedTaskIdOf(error)).toBe('task_1');
		},
	);
});

/** What an answer means after a create and, where that is another question, after a read. */
describe('the row of an answer', () => {
	const rowsOf = (error: ServiceError) => {
		const { made, closesGate, message } = createRow(error);
		const { again, kind } = readRow(error);
		return [`${made}${closesGate ? ' later' : ''} ${message}`, `${again} ${kind}`];
	};

	test.each<[codes: number[], more: Partial<StatusError>, create: string, read?: string]>([
		[[429], {}, 'no later rateLimited', 'limited rateLimited'],
		[[400, 410], {}, 'no refused', 'never notFound'],
		[[400], TEXT, 'no refused', 'never notFound'],
		[[404], {}, 'no address.notApi', 'notFound notFound'],
		// A page is that of a website, or of a server in front of the service.
		[[400, 404, 410], PAGE, 'no address.notApi', 'notFound address'],
		// So is plain text: the service speaks JSON.
		[[404, 410], TEXT, 'no address.notApi', 'notFound address'],
		[[302, 405], {}, 'no address.notApi', 'never address'],
		[[399], {}, 'maybe noAnswer', 'never address'],
		[[402], {}, 'no balance', 'never balance'],
		// One of these between good answers is no reason to end a wait.
		[[401], {}, 'no key', 'denied key'],
		[[403], {}, 'no key.notAllowed', 'denied key'],
		[[403], TEXT, 'no address', 'denied address'],
		[[407], {}, 'no address', 'denied address'],
		[[413], PAGE, 'no refused.tooLarge', 'never refused'],
		[[418], {}, 'no refused', 'never refused'],
		[[499], {}, 'maybe noAnswer', 'never refused'],
		[[501, 503], {}, 'no serviceError', 'passes serviceError'],
		[[408, 425, 500, 502, 504, 599], {}, 'maybe noAnswer', 'passes serviceError'],
		// A proxy's 503 is rarely JSON.
		[[503], TEXT, 'maybe noAnswer', 'passes serviceError'],
		[[502], PAGE, 'maybe noAnswer.webPage', 'passes serviceError'],
		// A code says more than a status, and words decide about content alone.
		[[400], { code: 'content_policy_violation' }, 'no moderation', 'never notFound'],
		[[403], { code: 'content_policy_violation' }, 'no moderation', 'denied key'],
		[[422], { code: 'content_policy_violation' }, 'no moderation', 'never refused'],
		[[422], says('Stopped by our safety system'), 'no moderation'],
		[[422], says('A real person was found'), 'no refused'],
		[[401], { code: 'content_policy_violation' }, 'no key'],
		[[402], { code: 'content_policy_violation' }, 'no balance'],
		[[503], { code: 'content_policy_violation' }, 'no serviceError'],
		[[500], { code: 'content_policy_violation' }, 'maybe noAnswer'],
		[[400], { code: 'quota_exceeded' }, 'no balance', 'never notFound'],
		[[403], { code: 'quota_exceeded' }, 'no balance', 'denied key'],
		[[413], {}, 'no refused.tooLarge', 'never refused'],
		[[429], { code: 'rate_limit_exceeded' }, 'no later rateLimited'],
		[[400], says('Insufficient credits'), 'no refused'],
		// An account without money, and limits of requests.
		[[429, 400, 402, 403], { code: 'insufficient_quota' }, 'no balance'],
		[[429], { code: 'InsufficientBalance' }, 'no balance'],
		[[429], { code: 'quota_exceeded' }, 'no later rateLimited'],
		[[429], { code: 'insufficient_quota_per_minute' }, 'no later rateLimited'],
		[[429], says('Insufficient quota'), 'no later rateLimited'],
		// A model that the service does not know.
		[[400, 403, 404, 422, 429, 503], { code: 'model_not_found' }, 'no refused.model'],
		[[400, 404, 422, 503], { param: 'body.model' }, 'no refused.model'],
		[[400], { code: 'InvalidEndpointOrModel.NotFound' }, 'no refused.model'],
		[[500], { code: 'model_not_found' }, 'maybe noAnswer'],
		[[503], { code: 'model_overloaded' }, 'no serviceError'],
		[[429], { param: 'model' }, 'no later rateLimited'],
		[[400], says('Unknown model x'), 'no refused.model'],
		[[404], says('The model `x` does not exist'), 'no refused.model'],
		[[403], says('You do not have access to the model'), 'no refused.model'],
		[[422], says('model "x" not found'), 'no refused.model'],
		[[400], says('Duration 20 is not supported by this model'), 'no refused'],
		[[400], says('The model could not read the first image'), 'no refused'],
		[[400], says('The model says that the image was not found'), 'no refused'],
		[[400], says('Unknown model x', 'quality'), 'no refused'],
		[[400], says('No', 'model_params.seed'), 'no refused'],
		[[404], says('No such path'), 'no address.notApi'],
		// The idempotency key.
		[[409], {}, 'maybe noAnswer.knownKey', 'never refused'],
		[[422], says('This idempotency key had another request'), 'maybe noAnswer.knownKey'],
		[[400], { code: 'paid_outcome_unknown' }, 'maybe noAnswer.knownKey'],
		[[403], says('The Idempotency-Key is in use'), 'no key.notAllowed'],
	])('of %j with %j: %s; to a read: %s', (codes, more, create, read = expect.any(String)) => {
		for (const code of codes) expect(rowsOf(status(code, more))).toEqual([create, read]);
	});

	test.each<[ServiceError, create: string, read: string]>([
		[network('connectionRefused'), 'no later address', 'passes address'],
		[network('noRoute'), 'no later address', 'passes address'],
		[network('unknownHost'), 'no later address', 'passes address'],
		[network('connectTimeout'), 'no later address', 'passes address'],
		[network('tls'), 'no address', 'denied address'],
		[network('blocked'), 'no address', 'never address'],
		[network('timeout'), 'maybe noAnswer', 'passes serviceError'],
		[network('lost'), 'maybe noAnswer', 'passes serviceError'],
		[unreadable('empty'), 'maybe noAnswer', 'passes serviceError'],
		[unreadable('html'), 'maybe noAnswer.webPage', 'passes address'],
		[unreadable('notTask'), 'maybe noAnswer', 'passes serviceError'],
		[unreadable('otherTask'), 'maybe noAnswer', 'passes serviceError'],
	])('of %j: %s; to a read: %s', (error, ...rows) => expect(rowsOf(error)).toEqual(rows));
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
		[status(400, { ...says('No', 'prompt'), code: 'bad' }), 'No (code bad, field prompt)'],
		[status(400, { code: 'model_not_found' }), '"fox-9-text-to-video" (400)'],
		[status(302, { location: 'https://e.com/<b>' }), 'https://e.com/‹b› (302)'],
		[status(302), 'another URL (302)'],
		[status(404), 'path (404)'],
		[status(404, PAGE), 'a web page came back (404)'],
		[status(407), 'proxy asks for a login (407)'],
		[status(403, TEXT), 'firewall rejected the request (403)'],
		[network('unknownHost'), 'host name was not found'],
		[status(429, { retryAfterMs: 60_000 }), '(429)'],
		[network('lost'), 'connection was lost'],
		[status(502, PAGE), '(502)'],
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
		['http://127.0.0.10/api', 'connectionRefused', true],
		['http://[::1]:9', 'connectionRefused', true],
		['http://localhost:8080', 'unknownHost', false],
		['https://localhost.example.com', 'connectionRefused', false],
		['https://mylocalhost', 'connectionRefused', false],
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
	[status(500, says('Busy')), /was not sent again.* one \(500\).*"Busy"/],
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
		[status(503), 'serviceError', 'the provider is not available right now (503)'],
		[network('tls'), 'address', 'no secure connection was possible'],
		[status(404, PAGE), 'address', 'a web page came back (404)'],
		[status(404, TEXT), 'address', 'it does not know this path (404)'],
		[network('lost'), 'serviceError', '(the connection was lost)'],
	])('%j of a task that exists names it, and why it was not read', (error, kind, why) => {
		const known = failure(error, true);
		expect(known).toMatchObject({ kind, message: expect.stringContaining(why) });
		expect(known.description).toContain("use 'Get Task' with the ID task_1");
		expect(known.description.includes("Correct 'API Key'")).toBe(kind === 'key');
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
		['failed', { code: 'quota_exceeded' }, 'failed', 'balance', 'quota_exceeded'],
		['failed', 'Not enough credits', 'failed', 'failed', 'Not enough credits'],
		['failed', { code: 'content_filter' }, 'final', 'moderation', 'content_filter'],
		['error', { message: 'Blocked by moderation' }, 'final', 'moderation', 'Blocked'],
		['error', { message: 'A real person was found' }, 'failed', 'failed', 'A real person'],
		['canceled', { code: 'content_filter' }, 'final', 'cancelled', 'content_filter'],
		['canceled', undefined, 'final', 'cancelled', ''],
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
