import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import {
	createRetryPolicy,
	readRetryPolicy,
	rejectsTheKey,
} from '../../../nodes/Videogen/service/retryPolicy';
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
			expect(createRetryPolicy(status(code))).toBe('refused');
			expect(createRetryPolicy(inText(code))).toBe('refused');
		},
	);

	test('503 is a no to a create when the service itself says so, which speaks JSON', () => {
		expect(createRetryPolicy(status(503))).toBe('refused');
		expect(createRetryPolicy(inText(503))).toBe('unknown');
	});

	const OTHER_REDIRECTS = [300, 303, 304, 305, 306, 399];
	const UNOFFICIAL = [419, 420, 427, 430, 440, 444, 449, 450, 452, 460, 463, 494, 495, 498, 499];
	const SERVER_ERRORS = [500, 502, 504, 505, 507, 508, 511, 520, 522, 524, 525, 526, 527, 529, 530];

	test.each([
		...[...OTHER_REDIRECTS, ...UNOFFICIAL, ...SERVER_ERRORS],
		...[100, 199, 408, 425, 598, 599, 600],
	])('after %i a task may exist, in JSON or not', (code) => {
		expect(createRetryPolicy(status(code))).toBe('unknown');
		expect(createRetryPolicy(inText(code))).toBe('unknown');
	});

	test.each([
		[status(429), 'rateLimited', 'rateLimited'],
		[status(404), 'refused', 'notFound'],
		[network('connectionRefused'), 'unreachable', 'again'],
		[network('noRoute'), 'unreachable', 'again'],
		[network('unknownHost'), 'unreachable', 'again'],
		[network('tls'), 'refused', 'stop'],
		[network('blocked'), 'refused', 'stop'],
		[network('timeout'), 'unknown', 'again'],
		[network('lost'), 'unknown', 'again'],
		[unreadable('empty'), 'unknown', 'again'],
	])('%j: a create is %s, a read %s', (error, create, read) => {
		expect([createRetryPolicy(error), readRetryPolicy(error)]).toEqual([create, read]);
	});

	test.each([400, 401, 402, 403, 405, 410, 418, 302])('%i ends the reading', (code) =>
		expect(readRetryPolicy(status(code))).toBe('stop'),
	);

	test.each([408, 425, 500, 502, 503, 504, 599])('%i is read again', (code) =>
		expect(readRetryPolicy(status(code))).toBe('again'),
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
