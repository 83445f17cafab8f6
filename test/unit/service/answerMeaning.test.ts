import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import {
	askedPauseMs,
	createVerdict,
	isReplayed,
	isTransient,
	knowsOrderKey,
	kindOfCreate,
	kindOfRead,
	readVerdict,
	refusesContent,
} from '../../../nodes/Videogen/service/answerMeaning';
import { network, status, unreadable } from '../../programs/support/fakeService';

const inText = (code: number): ServiceError => ({ ...status(code), isJson: false });
const said = (code: number, serviceMessage: string, more: object = {}): ServiceError => ({
	...status(code),
	serviceMessage,
	...more,
});

describe('the answer to a create', () => {
	const REDIRECTS = [301, 302, 307, 308];
	const REFUSALS = [400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416];
	const RARE_REFUSALS = [417, 418, 421, 422, 423, 424, 426, 428, 431, 451];
	const NOT_REACHED = [501, 521, 523];

	test.each([...REDIRECTS, ...REFUSALS, ...RARE_REFUSALS, ...NOT_REACHED])(
		'%i is a no, in JSON or not',
		(code) => {
			expect(createVerdict(status(code))).toBe('noTask');
			expect(createVerdict(inText(code))).toBe('noTask');
		},
	);

	test('503 is a no when the service itself says so, which speaks JSON', () => {
		expect(createVerdict(status(503))).toBe('noTask');
		expect(createVerdict(inText(503))).toBe('mayExist');
	});

	const OTHER_REDIRECTS = [300, 303, 304, 305, 306, 399];
	const UNOFFICIAL = [419, 420, 427, 430, 440, 444, 449, 450, 452, 460, 463, 494, 495, 498, 499];
	const SERVER_ERRORS = [500, 502, 504, 505, 507, 508, 511, 520, 522, 524, 525, 526, 527, 529, 530];

	test.each([
		...[...OTHER_REDIRECTS, ...UNOFFICIAL, ...SERVER_ERRORS],
		...[100, 199, 408, 409, 425, 598, 599, 600],
	])('after %i a task may exist, in JSON or not', (code) => {
		expect(createVerdict(status(code))).toBe('mayExist');
		expect(createVerdict(inText(code))).toBe('mayExist');
		expect(kindOfCreate(status(code))).toBe('noAnswer');
	});

	test.each<[ServiceError, verdict: string]>([
		[status(429), 'rateLimited'],
		[network('connectionRefused'), 'notConnected'],
		[network('noRoute'), 'notConnected'],
		[network('unknownHost'), 'notConnected'],
		[network('connectTimeout'), 'notConnected'],
		[network('tls'), 'noTask'],
		[network('blocked'), 'noTask'],
		[network('timeout'), 'mayExist'],
		[network('lost'), 'mayExist'],
		[unreadable('empty'), 'mayExist'],
		[unreadable('notTask'), 'mayExist'],
	])('%j is %s', (error, verdict) => expect(createVerdict(error)).toBe(verdict));

	const IN_USE = 'The Idempotency-Key is in use';
	const OTHER = 'This idempotency key had another request';

	test.each<[ServiceError, verdict: string]>([
		[said(409, IN_USE), 'inUse'],
		[said(409, 'Conflict: in use'), 'inUse'],
		[said(409, 'The request is in progress'), 'inUse'],
		[said(400, 'idempotent request is being processed'), 'inUse'],
		[said(422, 'Concurrent request with this idempotency key'), 'inUse'],
		[said(409, '', { code: 'idempotency_in_progress' }), 'inUse'],
		[said(409, 'Idempotency: in flight', { code: 'conflict' }), 'inUse'],
		// Beside a code that says something else, words may mean anything.
		[said(409, 'It is processing', { code: 'idempotency_mismatch' }), 'mayExist'],
		[said(409, 'It is in flight', { code: 'conflict_with_idempotency' }), 'mayExist'],
		[said(409, 'Conflict'), 'mayExist'],
		[said(422, OTHER), 'mayExist'],
		[said(400, OTHER), 'mayExist'],
		[said(409, '', { code: 'paid_outcome_unknown' }), 'mayExist'],
		[said(400, 'The video is in use'), 'noTask'],
		[said(403, IN_USE), 'noTask'],
		[said(500, IN_USE), 'mayExist'],
	])('%j, about the order key, is %s', (error, verdict) =>
		expect(createVerdict(error)).toBe(verdict),
	);

	test.each([400, 401, 409, 422, 429, 500, 503])(
		'a record of a task in a %i means that it may exist, whatever else is said',
		(code) => {
			const error = said(code, IN_USE, { namedTaskId: 'task_1' });
			expect(createVerdict(error)).toBe('mayExist');
			expect(kindOfCreate(error)).toBe('noAnswer');
		},
	);

	test('is known to be played again by its header alone', () => {
		expect(isReplayed({ ...status(500), isReplay: true })).toBe(true);
		expect([status(500), network('lost'), unreadable('empty')].map(isReplayed)).not.toContain(true);
	});
});

describe('the answer to a read', () => {
	test.each<[ServiceError, verdict: string]>([
		[status(429), 'rateLimited'],
		[status(404), 'notFound'],
		...[400, 402, 405, 409, 410, 418, 499, 302].map((code): [ServiceError, string] => [
			status(code),
			'stop',
		]),
		...[408, 425, 500, 502, 503, 504, 599].map((code): [ServiceError, string] => [
			status(code),
			'again',
		]),
		// One of these between good answers is no reason to end a wait.
		...[401, 403, 407].map((code): [ServiceError, string] => [status(code), 'denied']),
		[inText(403), 'denied'],
		[network('tls'), 'denied'],
		[network('blocked'), 'stop'],
		[network('connectionRefused'), 'again'],
		[network('connectTimeout'), 'again'],
		[network('timeout'), 'again'],
		[network('lost'), 'again'],
		[unreadable('empty'), 'again'],
		[unreadable('otherTask'), 'again'],
	])('%j is %s', (error, verdict) => expect(readVerdict(error)).toBe(verdict));
});

describe('the kind of an error', () => {
	test.each<[number, create: string, read: string]>([
		[302, 'address', 'address'],
		[399, 'noAnswer', 'address'],
		[400, 'refused', 'notFound'],
		[401, 'key', 'key'],
		[402, 'balance', 'balance'],
		[403, 'key', 'key'],
		[404, 'address', 'notFound'],
		[405, 'address', 'address'],
		[407, 'address', 'address'],
		[408, 'noAnswer', 'serviceError'],
		[410, 'refused', 'notFound'],
		[413, 'refused', 'refused'],
		[422, 'refused', 'refused'],
		[429, 'rateLimited', 'rateLimited'],
		[499, 'noAnswer', 'refused'],
		[500, 'noAnswer', 'serviceError'],
		[501, 'serviceError', 'serviceError'],
		[503, 'serviceError', 'serviceError'],
	])('is, for the status %d, %s after a create and %s after a read', (code, create, read) => {
		expect([kindOfCreate(status(code)), kindOfRead(status(code))]).toEqual([create, read]);
	});

	test('is that of another server where a 403 is not the JSON of the service', () => {
		expect([kindOfCreate(inText(403)), kindOfRead(inText(403))]).toEqual(['address', 'address']);
	});

	test.each<[Parameters<typeof network>[0], create: string, read: string]>([
		['connectionRefused', 'address', 'address'],
		['noRoute', 'address', 'address'],
		['unknownHost', 'address', 'address'],
		['connectTimeout', 'address', 'address'],
		['tls', 'address', 'address'],
		['blocked', 'address', 'address'],
		['timeout', 'noAnswer', 'serviceError'],
		['lost', 'noAnswer', 'serviceError'],
	])('is, without an answer (%s), %s after a create and %s after a read', (reason, create, read) =>
		expect([kindOfCreate(network(reason)), kindOfRead(network(reason))]).toEqual([create, read]),
	);

	test('is that of a wrong address where a web page was read', () => {
		expect(kindOfRead(unreadable('html'))).toBe('address');
		expect(kindOfRead(unreadable('notJson'))).toBe('serviceError');
		expect(kindOfCreate(unreadable('html'))).toBe('noAnswer');
	});

	test('follows the code of a refusal before its status', () => {
		const refusal = (code: string, statusCode = 400) =>
			kindOfCreate({ ...status(statusCode), code });
		expect(refusal('content_policy_violation')).toBe('moderation');
		expect(refusal('content_policy_violation', 403)).toBe('moderation');
		expect(refusal('quota_exceeded')).toBe('balance');
		expect(refusal('quota_exceeded', 403)).toBe('balance');
		expect(refusal('invalid_parameter')).toBe('refused');
		// What every other create of this key or account would be answered, too.
		expect(refusal('content_policy_violation', 401)).toBe('key');
		expect(refusal('content_policy_violation', 402)).toBe('balance');
		expect(kindOfCreate({ ...status(404), param: 'model' })).toBe('refused');
		expect(kindOfCreate({ ...status(404), param: 'prompt' })).toBe('address');
		expect(kindOfCreate({ ...status(404), isJson: false, param: 'model' })).toBe('address');
	});
});

test('content is refused by what says no, and by a status', () => {
	const refusal = (code: number) => refusesContent({ ...status(code), code: 'content_policy' });
	expect([400, 403, 422, 499, 500, 503].map(refusal)).toEqual([
		...[true, true, true],
		...[false, false, false],
	]);
	expect(refusesContent(status(400))).toBe(false);
	expect(refusesContent(network('lost'))).toBe(false);
});

test('what may pass is tried again, and only a status asks for time', () => {
	expect([408, 425, 429, 500, 599].map((code) => isTransient(status(code)))).not.toContain(false);
	expect([400, 404, 499].map((code) => isTransient(status(code)))).not.toContain(true);
	expect(askedPauseMs(status(429, 7))).toBe(7);
	expect(askedPauseMs(network('lost'))).toBeUndefined();
});

test.each<[ServiceError, boolean]>([
	[status(409), true],
	[said(422, 'This Idempotency-Key was used for another request'), true],
	[said(400, 'The prompt is empty'), false],
	[said(409, 'In use', { namedTaskId: 'task_1' }), false],
	[network('lost'), false],
])('%j knows the order key: %s', (error, isKnown) => expect(knowsOrderKey(error)).toBe(isKnown));
