import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import {
	askedPauseMs,
	createVerdict,
	deniesTask,
	isTransient,
	readVerdict,
	refusesContent,
	rejectsTheKey,
} from '../../../nodes/Videogen/service/answerTable';
import { network, status, unreadable } from '../../programs/support/fakeService';

describe('what an error means', () => {
	const inText = (code: number): ServiceError => ({ ...status(code), isJson: false });

	const REDIRECTS = [301, 302, 307, 308];
	const REFUSALS = [400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416];
	const RARE_REFUSALS = [417, 418, 421, 422, 423, 424, 426, 428, 431, 451];
	const NOT_REACHED = [501, 521, 523];

	test.each([...REDIRECTS, ...REFUSALS, ...RARE_REFUSALS, ...NOT_REACHED])(
		'%i is a no to a create, in JSON or not',
		(code) => {
			expect(createVerdict(status(code))).toBe('refused');
			expect(createVerdict(inText(code))).toBe('refused');
		},
	);

	test('503 is a no to a create when the service itself says so, which speaks JSON', () => {
		expect(createVerdict(status(503))).toBe('refused');
		expect(createVerdict(inText(503))).toBe('mayExist');
	});

	const OTHER_REDIRECTS = [300, 303, 304, 305, 306, 399];
	const UNOFFICIAL = [419, 420, 427, 430, 440, 444, 449, 450, 452, 460, 463, 494, 495, 498, 499];
	const SERVER_ERRORS = [500, 502, 504, 505, 507, 508, 511, 520, 522, 524, 525, 526, 527, 529, 530];

	test.each([
		...[...OTHER_REDIRECTS, ...UNOFFICIAL, ...SERVER_ERRORS],
		...[100, 199, 408, 425, 598, 599, 600],
	])('after %i a task may exist, in JSON or not', (code) => {
		expect(createVerdict(status(code))).toBe('mayExist');
		expect(createVerdict(inText(code))).toBe('mayExist');
	});

	test.each([
		[status(429), 'rateLimited', 'rateLimited'],
		[status(404), 'refused', 'notFound'],
		[network('connectionRefused'), 'notConnected', 'again'],
		[network('noRoute'), 'notConnected', 'again'],
		[network('unknownHost'), 'notConnected', 'again'],
		[network('tls'), 'refused', 'denied'],
		[status(401), 'refused', 'denied'],
		[status(403), 'refused', 'denied'],
		[network('blocked'), 'refused', 'stop'],
		[network('timeout'), 'mayExist', 'again'],
		[network('lost'), 'mayExist', 'again'],
		[unreadable('empty'), 'mayExist', 'again'],
	])('%j: a create is %s, a read %s', (error, create, read) => {
		expect([createVerdict(error), readVerdict(error)]).toEqual([create, read]);
	});

	test.each([400, 402, 405, 410, 418, 302])('%i ends the reading', (code) =>
		expect(readVerdict(status(code))).toBe('stop'),
	);

	test.each([408, 425, 500, 502, 503, 504, 599])('%i is read again', (code) =>
		expect(readVerdict(status(code))).toBe('again'),
	);

	test('only 401 means that every other request fares the same', () => {
		expect(rejectsTheKey(status(401))).toBe(true);
		for (const other of [
			status(403),
			status(400),
			network('connectionRefused'),
			unreadable('empty'),
		]) {
			expect(rejectsTheKey(other)).toBe(false);
		}
	});
});

describe('an answer about the order key', () => {
	const said = (code: number, serviceMessage: string, more: object = {}): ServiceError => ({
		...status(code),
		serviceMessage,
		...more,
	});
	const IN_USE = 'The Idempotency-Key is in use';
	const OTHER = 'This idempotency key had another request';

	test.each<[ServiceError, policy: string]>([
		[said(409, IN_USE), 'inUse'],
		[said(400, 'idempotent request is being processed'), 'inUse'],
		[said(422, 'Concurrent request with this idempotency key'), 'inUse'],
		[said(409, '', { code: 'idempotency_in_progress' }), 'inUse'],
		[said(409, 'It is processing', { code: 'idempotency_mismatch' }), 'mayExist'],
		[said(409, 'It is in flight', { code: 'conflict_with_idempotency' }), 'mayExist'],
		[said(409, 'Idempotency: in flight', { code: 'conflict' }), 'inUse'],
		[said(422, OTHER), 'mayExist'],
		[said(409, '', { code: 'paid_outcome_unknown' }), 'mayExist'],
		[said(409, 'Conflict: in use'), 'refused'],
		[said(403, IN_USE), 'refused'],
		[said(500, IN_USE), 'mayExist'],
		[said(400, IN_USE, { namedTaskId: 'task_1' }), 'mayExist'],
	])('%j means that the create is %s', (error, policy) =>
		expect(createVerdict(error)).toBe(policy),
	);
});

describe('a read that says there is no task', () => {
	test.each<[ServiceError, create: ServiceError | undefined, isDenied: boolean]>([
		...[400, 404, 410].map((code): [ServiceError, undefined, boolean] => [
			status(code),
			undefined,
			true,
		]),
		[status(401), status(403), true],
		[status(402), status(401), true],
		[status(403), status(402), true],
		[status(401), undefined, false],
		[status(401), status(500), false],
		[status(403), network('lost'), false],
		[status(500), status(401), false],
		[status(422), status(401), false],
		[network('lost'), status(401), false],
		[unreadable('empty'), undefined, false],
	])('%j, after a create with %j: %s', (read, create, isDenied) =>
		expect(deniesTask(read, create)).toBe(isDenied),
	);
});

test('content is refused below 500 only, and by a status', () => {
	const refusal = (code: number) => refusesContent({ ...status(code), code: 'content_policy' });
	expect([400, 403, 499, 500, 503].map(refusal)).toEqual([true, true, true, false, false]);
	expect(refusesContent(status(400))).toBe(false);
	expect(refusesContent(network('lost'))).toBe(false);
});

test('what may pass is tried again, and only a status asks for time', () => {
	expect([408, 425, 429, 500, 599].map((code) => isTransient(status(code)))).not.toContain(false);
	expect([400, 404, 499].map((code) => isTransient(status(code)))).not.toContain(true);
	expect(askedPauseMs(status(429, 7))).toBe(7);
	expect(askedPauseMs(network('lost'))).toBeUndefined();
});
