import { getEventListeners } from 'node:events';
import type { ICredentialTestFunctions, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { HttpAnswer, NetworkReason, ServiceError } from '../../nodes/Videogen/service/answer';
import { rawAnswerOf } from '../../nodes/Videogen/service/answer';
import { cleanApiKey, cleanBaseUrl } from '../../nodes/Videogen/service/baseUrl';
import { looksLikeHtml, parseJson } from '../../nodes/Videogen/common/json';
import { credentialTestTransport } from '../../nodes/Videogen/service/transport';
import { networkReasonOf, RequestTimedOut } from '../../nodes/Videogen/service/networkReason';
import { quotable } from '../../nodes/Videogen/common/quotable';
import { retryAfterMs } from '../../nodes/Videogen/service/retryAfter';
import type { OutgoingRequest, Send } from '../../nodes/Videogen/service/client';
import { REQUEST_LIMITS, ServiceClient } from '../../nodes/Videogen/service/client';
import {
	codeIn,
	isModeration,
	messageIn,
	messageInAnswer,
} from '../../nodes/Videogen/service/serviceMessage';
import { asCreatedTask, asTask } from '../../nodes/Videogen/service/task';
import {
	createRetryPolicy,
	readRetryPolicy,
	rejectsTheKey,
} from '../../nodes/Videogen/service/retryPolicy';
import { credentialTestContext } from '../support/credentialTestContext';
import { network, status, unreadable } from '../support/fakeService';
import { failedCall, WRAPPED_BY } from '../support/networkErrors';

const answerWith = (body: string): HttpAnswer => ({
	statusCode: 200,
	headers: {},
	body,
	json: parseJson(body),
});

const withCode = (code: unknown): Error => Object.assign(new Error('inner'), { code });

describe('Retry-After', () => {
	const NOW = Date.parse('2026-01-01T00:00:00Z');
	test.each([
		['0', 0],
		['2', 2_000],
		[' 120 ', 120_000],
		['1.5', 1_500],
		['0.0004', 0],
		[3, 3_000],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Wed, 31 Dec 2025 23:59:00 GMT', 0],
		[['5', '60'], 5_000],
		[['Thu, 01 Jan 2026 00:01:00 GMT'], 60_000],
	])('%j is %j ms', (header, expected) => expect(retryAfterMs(header, NOW)).toBe(expected));

	test.each([undefined, null, '', ' ', 'soon', '-5', '5s', '1e3', [], [''], {}, true])(
		'%j says nothing',
		(header) => expect(retryAfterMs(header, NOW)).toBeUndefined(),
	);
});

describe('a base address', () => {
	test.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		[' https://api.example.com/video// \n', 'https://api.example.com/video'],
		['\u00a0https://api.example.com\u00a0', 'https://api.example.com'],
		['HTTP://API.example.com:8080/a/b', 'http://api.example.com:8080/a/b'],
		['https://api.example.com:443', 'https://api.example.com'],
		['http://[::1]:80/', 'http://[::1]'],
		['https://e.com/a/../b', 'https://e.com/b'],
		...['v1', 'v1/', 'v1/videos', 'v1/videos/generations', 'v1/tasks'].map((end) => [
			`https://e.com/video/${end}`,
			'https://e.com/video',
		]),
		['https://e.com/v1/models', 'https://e.com/v1/models'],
	])('%j is used as %j', (text, expected) => expect(cleanBaseUrl(text)).toBe(expected));

	test.each([
		...[undefined, null, 7, '', 'api.example.com', '//api.example.com', 'ftp://api.example.com'],
		...['javascript:https://api.example.com', 'https://', 'https://e.com/?key=1'],
		...['https://e.com/#top', 'https://me@e.com', 'https://me:secret@e.com', 'https://e .com'],
	])('%j is none', (text) => expect(cleanBaseUrl(text)).toBeUndefined());

	test.each([
		[' key\r\n', 'key'],
		['\tkey', 'key'],
		['', ''],
		[undefined, ''],
		[7, ''],
	])('an API key given as %j is sent as %j', (text, expected) =>
		expect(cleanApiKey(text)).toBe(expected),
	);
});

describe('why there was no answer', () => {
	const axiosLike = (code: string): JsonObject => ({
		name: 'AxiosError',
		message: 'Request failed',
		code: 'ERR_NETWORK',
		cause: { name: 'Error', code },
	});
	const node: INode = {
		id: '1',
		name: 'Videogen',
		type: 'n8n-nodes-videogen-tasks.videogen',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};

	test.each<[NetworkReason, codes: string[]]>([
		['tls', ['EPROTO', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']],
		['tls', ['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT']],
		['tls', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE']],
		['timeout', ['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT']],
		// After these the service may have taken the request.
		['lost', ['ECONNRESET', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'NO_CERT_AT_ALL']],
		// And where nothing says that they are of connecting or of looking up the name.
		['lost', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']],
	])('%s is what %j mean, by themselves or within the errors of axios and n8n', (reason, codes) => {
		const errors = codes.flatMap((code) => [
			withCode(code),
			axiosLike(code),
			new NodeApiError(node, axiosLike(code)),
			new Error('outer', { cause: withCode(code) }),
			{ error: withCode(code) },
			// n8n 2.0.3, which keeps no cause.
			Object.assign(new Error('In words of n8n'), { httpCode: code }),
		]);
		expect(errors.map(networkReasonOf)).toEqual(errors.map(() => reason));
	});

	describe.each(Object.entries(WRAPPED_BY))('as n8n %s wraps it', (_version, wrapped) => {
		test.each<[NetworkReason, syscall: string, codes: string[]]>([
			['connectionRefused', 'connect', ['ECONNREFUSED']],
			['noRoute', 'connect', ['EHOSTUNREACH', 'ENETUNREACH']],
			['unknownHost', 'getaddrinfo', ['ENOTFOUND', 'EAI_AGAIN']],
			['unknownHost', 'queryA', ['ENOTFOUND']],
			['lost', 'read', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']],
			['lost', 'write', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']],
		])('it is %s at "%s" with %j', (reason, syscall, codes) => {
			for (const code of codes) {
				const address = syscall === 'connect' ? '127.0.0.1' : undefined;
				const call = { syscall, code, address };
				expect(networkReasonOf(wrapped([call]))).toBe(reason);
				expect(networkReasonOf(failedCall(call))).toBe(reason);
			}
		});

		test('a service that is stopped, at two addresses, has refused the connection', () => {
			const call = { syscall: 'connect', code: 'ECONNREFUSED', address: '127.0.0.1' };
			expect(networkReasonOf(wrapped([call, { ...call, address: '::1' }]))).toBe(
				'connectionRefused',
			);
		});
	});

	test.each([
		...['reconnect ECONNREFUSED', 'disconnect ECONNREFUSED', 'connected ECONNREFUSED'],
		...['connect econnrefused', 'Said: connect ECONNREFUSED', 'query ENOTFOUND'],
	])('%j proves nothing', (text) => {
		expect(networkReasonOf(Object.assign(new Error(text), { code: 'ECONNREFUSED' }))).toBe('lost');
	});

	test('a code that says nothing leaves the word to what it wraps', () => {
		expect(networkReasonOf(Object.assign(withCode('ODD'), { cause: withCode('EPROTO') }))).toBe(
			'tls',
		);
	});

	test('a request that outlasted its limit timed out', () => {
		expect(networkReasonOf(new RequestTimedOut())).toBe('timeout');
		expect(networkReasonOf(new Error('outer', { cause: new RequestTimedOut() }))).toBe('timeout');
	});

	test.each([
		[8, 'connectionRefused'],
		[9, 'lost'],
	])('an error that is wrapped %i times is %s', (times, reason) => {
		let error: Error = failedCall({ syscall: 'connect', code: 'ECONNREFUSED' });
		for (let depth = 0; depth < times; depth += 1) error = new Error('outer', { cause: error });
		expect(networkReasonOf(error)).toBe(reason);
	});

	test('an error that wraps itself is lost, and comes to an end', () => {
		const loop = new Error('loop');
		loop.cause = loop;
		expect(networkReasonOf(loop)).toBe('lost');
	});

	test.each([
		...[undefined, null, 'ECONNREFUSED', 7, {}],
		new Error('ECONNREFUSED'),
		{ code: 7 },
		{ errors: null },
		{ errors: [] },
		Object.create(null),
	])('%p is lost', (thrown) => expect(networkReasonOf(thrown)).toBe('lost'));
});

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

describe('the words of the service', () => {
	test.each<[unknown, string]>([
		[4001, '4001'],
		['no', 'no'],
		[{ message: 'no', error: 'other' }, 'no'],
		[{ error: 'invalid_request', error_description: 'no' }, 'no'],
		[{ type: 'about:blank', title: 'no', status: 400 }, 'no'],
		[{ detail: 'no' }, 'no'],
		[{ detail: [{ loc: ['body'], msg: 'no', type: 'value_error' }] }, 'no'],
		[{ error: { code: 'no' } }, 'no'],
		[[{ message: 'no' }], 'no'],
		[{ message: '', error: 'no' }, 'no'],
		[{ message: ' ', error: { message: 'no' } }, 'no'],
		[{ errors: ['one', 'two', 'three', 'four'] }, 'one; two; three'],
		[{ errors: [{ message: 'one' }, {}, { detail: 'two' }] }, 'one; two'],
		[{ error: { error: { error: 'no' } } }, 'no'],
		[{ errors: [], code: 'bad' }, 'bad'],
		['é'.repeat(301), `${'é'.repeat(300)}…`],
		['🦊'.repeat(10_000), `${'🦊'.repeat(300)}…`],
	])('%j says %j', (payload, expected) => expect(messageIn(payload)).toBe(expected));

	test.each([undefined, null, '', ' ', '\u0000', {}, [], { error: {} }, true, { message: null }])(
		'%j says nothing',
		(payload) => expect(messageIn(payload)).toBeUndefined(),
	);

	const wraps: Array<[string, (inner: unknown) => unknown]> = [
		['errors', (inner) => ({ error: inner })],
		['codes', (inner) => ({ code: inner })],
		['lists', (inner) => [inner]],
	];
	test.each(wraps)('are not looked for without end, in %s', (_what, wrap) => {
		let deep: unknown = 'no';
		for (let depth = 0; depth < 1_000; depth += 1) deep = wrap(deep);
		expect(messageIn(deep)).toBeUndefined();
	});

	test.each([
		['Service down', 'Service down'],
		['"no"', 'no'],
		['{"error":"no"}', 'no'],
		['{"error":', '{"error":'],
	])('the body %j says %j', (body, expected) =>
		expect(messageInAnswer(answerWith(body))).toBe(expected),
	);

	test.each([' \n<!doctype HTML>', '<!-- made by a gateway -->\n<html>', '<?xml version="1.0"?>'])(
		'the page %j says nothing',
		(page) => {
			expect(looksLikeHtml(page)).toBe(true);
			expect(messageInAnswer(answerWith(page))).toBeUndefined();
		},
	);

	test.each(['', '{"a":"<html>"}', 'no <html>'])('%j is no page', (text) =>
		expect(looksLikeHtml(text)).toBe(false),
	);

	test('are on one line, without control characters, and not long', () => {
		expect(quotable('a\r\n\tb\u0000\u001b[0m  c\u009f')).toBe('a b [0m c');
		expect(quotable('x'.repeat(300))).toBe('x'.repeat(300));
		expect(quotable('x'.repeat(301))).toBe(`${'x'.repeat(300)}…`);
		expect(Array.from(quotable('y'.repeat(1_000_000)))).toHaveLength(301);
	});

	test.each([
		[{ code: 'a', type: 'b' }, 'a'],
		[{ code: 7 }, '7'],
		[{ type: 'b' }, 'b'],
		[{ error: { code: 'c' } }, 'c'],
		['text', undefined],
		[null, undefined],
		[{ code: {} }, undefined],
	])('the code of %j is %j', (payload, expected) => expect(codeIn(payload)).toBe(expected));

	test.each<[code: string | undefined, words: string | undefined]>([
		['content_policy_violation', undefined],
		['content_filter', undefined],
		['sensitive_content', undefined],
		['moderation_blocked', undefined],
		['input_moderation_failed', undefined],
		['safety_block', 'It broke'],
		[undefined, 'Blocked by our content policy'],
		['unknown_error', 'Hidden by our safety system'],
		['invalid_parameters', 'The prompt was moderated'],
		['x', 'Stopped by the content filter'],
	])('the code %s with the words %j is moderation', (code, words) => {
		expect(isModeration(code, words)).toBe(true);
	});

	test.each<[code: string | undefined, words: string | undefined]>([
		[undefined, undefined],
		['unknown_error', 'It broke'],
		['image_processing_error', 'Use moderate colours; names are case-sensitive'],
		['quota_exceeded', 'Safety limit of your plan'],
		['low_balance', 'See our policy'],
		['no_credits', 'See our policy'],
		['generation_timeout', 'The safety check did not end'],
		['resource_exhausted', 'The safety check did not begin'],
		['service_unavailable', 'No moderation now'],
	])('the code %s with the words %j is not', (code, words) => {
		expect(isModeration(code, words)).toBe(false);
	});
});

describe('a task record', () => {
	test.each([
		['pending', 'unfinished'],
		['processing', 'unfinished'],
		['completed', 'completed'],
		['failed', 'failed'],
		['queued', 'unfinished'],
		['COMPLETED', 'unfinished'],
	])('with the status %s is %s', (status, state) => {
		expect(asTask({ id: 'task_1', status })).toMatchObject({ id: 'task_1', status, state });
	});

	test('keeps the very object that came, whatever its other fields hold', () => {
		const record = { id: ' task_1 ', status: 'pending', progress: 'half', results: 7, more: [{}] };
		const read = { id: ' task_1 ', status: 'pending', state: 'unfinished', record };
		expect(asTask(record)).toEqual(read);
		expect(asTask(record)?.record).toBe(record);
	});

	test.each(['.task', 'task.', 'a..b', '...a'])('may have dots in its id: %s', (id) =>
		expect(asTask({ id, status: 'pending' })?.id).toBe(id),
	);

	test('may have a number as its id', () => {
		expect(asTask({ id: 0, status: 'pending' })?.id).toBe('0');
		expect(asTask({ id: 123, status: 'pending' })?.record).toEqual({ id: 123, status: 'pending' });
	});

	test.each([
		[{ id: 'task_1', status: 'pending' }],
		{},
		{ id: 'task_1' },
		{ status: 'pending' },
		{ id: '  ', status: 'pending' },
		{ id: { id: 'a' }, status: 'pending' },
		{ id: 'task_1', status: '' },
		{ data: { id: 'task_1', status: 'pending' } },
		...['.', '..', 'task_\ufffd', '\ud800'].map((id) => ({ id, status: 'pending' })),
	])('%j is none', (reply) => expect(asTask(reply)).toBeUndefined());

	test('with a __proto__ keeps it as a field and changes no other object', () => {
		const text = '{"id":"task_1","status":"pending","__proto__":{"polluted":true}}';
		const record = asTask(JSON.parse(text))?.record;
		expect(JSON.stringify(record)).toBe(text);
		expect(JSON.stringify({ ...record })).toBe(text);
		expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
		expect('polluted' in {}).toBe(false);
	});

	test('of a create needs no more than an id: reading it tells the rest', () => {
		const record = { id: 'task_1' };
		const created = { id: 'task_1', status: 'not given', state: 'unfinished', record };
		expect(asCreatedTask(record)).toEqual(created);
		expect(asCreatedTask({ id: 'request_1', error: { message: 'no' } })).toBeUndefined();
		expect(asCreatedTask(['task_1'])).toBeUndefined();
	});

	test('does not take its id from its prototype', () => {
		const reply: unknown = JSON.parse('{"__proto__":{"id":"task_1","status":"completed"}}');
		expect(asTask(reply)).toBeUndefined();
	});
});

describe('the client of the service', () => {
	const BASE = 'https://api.example.com/video';
	const request = { model: 'videogen-2.5-text-to-video', prompt: 'fox' };
	const answering =
		(answer: Partial<HttpAnswer>, sent: OutgoingRequest[] = []): Send =>
		async (outgoing) => {
			sent.push(outgoing);
			return await Promise.resolve({ ...answerWith(answer.body ?? ''), ...answer });
		};
	const failing =
		(thrown: unknown): Send =>
		async () =>
			await Promise.reject(thrown);
	const clientOf = (send: Send, now = () => 0) => new ServiceClient(send, BASE, now);

	test('creates and reads at the addresses of the contract, each with its own limit', async () => {
		const sent: OutgoingRequest[] = [];
		const client = clientOf(answering({}, sent));
		await client.create(request, 'order');
		await client.read('task_1');
		expect(sent).toEqual([
			{
				method: 'POST',
				url: `${BASE}/v1/videos/generations`,
				body: request,
				orderKey: 'order',
				limitMs: REQUEST_LIMITS.createMs,
			},
			{ method: 'GET', url: `${BASE}/v1/tasks/task_1`, limitMs: REQUEST_LIMITS.readMs },
		]);
		// As long as n8n waits by default: what is given up sooner may be paid for.
		expect(REQUEST_LIMITS.createMs).toBe(300_000);
	});

	test.each([
		{ atMostMs: 7_000.4, limitMs: 7_001 },
		{ atMostMs: REQUEST_LIMITS.readMs + 1, limitMs: REQUEST_LIMITS.readMs },
		{ atMostMs: undefined, limitMs: REQUEST_LIMITS.readMs },
	])('a read takes no longer than it may: %j', async ({ atMostMs, limitMs }) => {
		const sent: OutgoingRequest[] = [];
		await clientOf(answering({}, sent)).read('task_1', undefined, atMostMs);
		expect(sent).toMatchObject([{ limitMs }]);
	});

	test.each([
		['a create', async (client: ServiceClient) => await client.create(request, 'order')],
		['a read', async (client: ServiceClient) => await client.read('task_1')],
	])('does not read what is too large, as the answer to %s', async (_what, ask) => {
		const body = '{"data":{"id":"task_1","note":"';
		const error = { kind: 'unreadable', reason: 'tooLarge', excerpt: body };
		const answer = await ask(clientOf(answering({ body, isTooLarge: true })));
		expect(answer).toEqual({ kind: 'error', error });
	});

	test.each(['a/b', '../x', 'a?b=c', 'a#b', 'ä b', '%2e%2e'])(
		'keeps the id %j in its place in the path',
		async (id) => {
			const sent: OutgoingRequest[] = [];
			await clientOf(answering({}, sent)).read(id);
			const { pathname, search, hash } = new URL(sent[0]?.url ?? '');
			expect(pathname).toBe(`/video/v1/tasks/${encodeURIComponent(id)}`);
			expect(search + hash).toBe('');
		},
	);

	const readOf = async (answer: Partial<HttpAnswer>, now?: () => number) =>
		await clientOf(answering(answer), now).read('task_1');

	test('takes a record from any 2XX, and from nothing else', async () => {
		const body = '{"id":"task_1","status":"completed"}';
		const statuses = [200, 201, 202, 299, 199, 300, 304, 400, 500];
		const answers = statuses.map(async (statusCode) => await readOf({ statusCode, body }));
		const kinds = (await Promise.all(answers)).map(({ kind }) => kind);
		expect(kinds).toEqual([...Array(4).fill('task'), ...Array(5).fill('error')]);
		const created = await clientOf(answering({ body })).create(request, 'order');
		expect(created).toMatchObject({ kind: 'task', task: { id: 'task_1' } });
	});

	test('takes a record for that of its task whose id has other blanks around it', async () => {
		const record = { id: 'task_1 ', status: 'pending' };
		const answer = await readOf({ body: JSON.stringify(record) });
		expect(answer).toMatchObject({ kind: 'task', task: { record } });
	});

	test.each([
		[' \n', 'empty'],
		['<html></html>', 'html'],
		['{"id":', 'notJson'],
		['null', 'notTask'],
		['{}', 'notTask'],
	])('says of the body %j that it is %s', async (body, reason) => {
		const excerpt = body.trim().replaceAll('<', '‹').replaceAll('>', '›');
		const error = { kind: 'unreadable', reason, excerpt };
		expect(await clientOf(answering({ body })).create(request, 'order')).toEqual({
			kind: 'error',
			error,
		});
	});

	test('tells all that a refusal says', async () => {
		const location = 'https://e.com';
		const headers = { 'retry-after': '3', location };
		const body = '{"error":{"message":"slow down"}}';
		const said = { isJson: true, serviceMessage: 'slow down', retryAfterMs: 3_000, location };
		const error = { kind: 'status', status: 429, ...said };
		expect(await readOf({ statusCode: 429, headers, body })).toEqual({ kind: 'error', error });
	});

	test('counts a date of Retry-After from its own clock', async () => {
		const headers = { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' };
		const now = () => Date.parse('2026-01-01T00:00:10Z');
		const error = { retryAfterMs: 20_000 };
		expect(await readOf({ statusCode: 503, headers }, now)).toMatchObject({ error });
	});

	test('takes a refusal for JSON only when it is an object', async () => {
		for (const body of ['{"a":1}', '[1]', '"text"', 'text', '']) {
			const error = { isJson: body.startsWith('{') };
			expect(await readOf({ statusCode: 400, body })).toMatchObject({ error });
		}
	});

	test.each([
		[new RequestTimedOut(), 'timeout'],
		[failedCall({ syscall: 'connect', code: 'ECONNREFUSED' }), 'connectionRefused'],
		[withCode('ECONNRESET'), 'lost'],
		['anything', 'lost'],
	])('never throws: %p is a network error', async (thrown, reason) => {
		const error = { kind: 'error', error: { kind: 'network', reason } };
		expect(await clientOf(failing(thrown)).create(request, 'order')).toEqual(error);
		expect(await clientOf(failing(thrown)).read('task_1')).toEqual(error);
	});
});

describe('an HTTP answer of n8n', () => {
	test('without headers has empty ones', () => {
		expect(rawAnswerOf({ statusCode: 200 })).toEqual({ statusCode: 200, headers: {} });
	});

	test.each([undefined, 'text', {}, { statusCode: '200' }])('%j is none', (value) =>
		expect(() => rawAnswerOf(value)).toThrow(),
	);
});

describe('a request through n8n', () => {
	const KEY = 'key-1234567890';
	const outgoing: OutgoingRequest = { method: 'GET', url: 'https://e.com/x', limitMs: 60_000 };
	const brief = { ...outgoing, limitMs: 20 };

	const transport = (request: ICredentialTestFunctions['helpers']['request'], apiKey = KEY): Send =>
		credentialTestTransport(
			credentialTestContext(request),
			{ apiKey, baseUrl: 'https://e.com' },
			apiKey,
		);
	const never = new Promise<never>(() => undefined);

	test('that is never answered ends at its limit', async () => {
		await expect(transport(async () => await never)(brief)).rejects.toBeInstanceOf(RequestTimedOut);
	});

	test('that fails after its limit has timed out, and what it failed with is ignored', async () => {
		let fail: (reason: Error) => void = () => undefined;
		const late = new Promise<never>((_, reject) => (fail = reject));
		const sending = transport(async () => await late)(brief);
		await expect(sending).rejects.toBeInstanceOf(RequestTimedOut);
		fail(new Error('too late'));
		await expect(late).rejects.toThrow('too late');
	});

	test('asks for JSON, and says of a body that it is JSON', async () => {
		const headersOf = async (more: Partial<OutgoingRequest>): Promise<unknown> => {
			let given: unknown;
			const send = transport(async (options) => {
				given = typeof options === 'object' && 'headers' in options ? options.headers : undefined;
				return await Promise.resolve({ statusCode: 200 });
			});
			await send({ ...outgoing, ...more });
			return given;
		};
		const accept = 'application/json';
		const body = { model: 'videogen-2.5-text-to-video', prompt: 'fox' };
		expect(await headersOf({})).toEqual({ accept, Authorization: `Bearer ${KEY}` });
		const sent = await headersOf({ method: 'POST', body });
		expect(sent).toMatchObject({ accept, 'content-type': accept });
	});

	test.each([
		[7, undefined],
		[`/x?key=${KEY}`, '/x?key=[API key]'],
	])('keeps of the headers what is used; the target %j becomes %j', async (given, location) => {
		const headers = { 'retry-after': ['5'], location: given, 'set-cookie': ['a=1'] };
		const send = transport(async () => await Promise.resolve({ statusCode: 302, headers }));
		const answer = await send(outgoing);
		expect(answer.headers).toEqual({ 'retry-after': ['5'], location });
	});

	test('that is answered leaves nothing waiting for its limit', async () => {
		const limit = new AbortController().signal;
		jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit);
		await transport(async () => await Promise.resolve({ statusCode: 200 }))(outgoing);
		expect(getEventListeners(limit, 'abort')).toEqual([]);
	});

	test('masks in this answer and in later ones what an earlier request has sent', async () => {
		const token = 'token-of-a-file';
		const body = {
			...{ model: 'a', prompt: 'b', callback_url: 'https://n.com/1?signature=signature-of-1' },
			image_urls: [`https://n.com/rest/binary-data/signed?token=${token}`],
		};
		const said = JSON.stringify({ words: [token, 'signature-of-1'] });
		const send = transport(async () => await Promise.resolve({ statusCode: 200, body: said }));
		for (const request of [{ ...outgoing, body }, outgoing]) {
			expect(await send(request)).toMatchObject({ json: { words: ['[token]', '[signature]'] } });
		}
	});

	/** How often what is answered is parsed, and what comes of it. */
	async function parsesOf(statusCode: number, body: string) {
		const send = transport(async () => await Promise.resolve({ statusCode, body }));
		const parse = jest.spyOn(JSON, 'parse');
		const client = new ServiceClient(send, 'https://e.com', () => 0);
		const answers = [
			await client.create({ model: 'a', prompt: 'b' }, 'order'),
			await client.read('task_1'),
		];
		const count = parse.mock.calls.length;
		parse.mockRestore();
		return { count, answers };
	}

	test.each([200, 302, 400, 429, 500, 503])(
		'that is answered %i is parsed once, whatever is found in it',
		async (statusCode) => {
			const message = 'C:\\videos';
			const record = { id: 'task_1', status: 'pending', error: { code: 7, param: 'a', message } };
			for (const body of [JSON.stringify(record), '{"id":', 'no', `{"a":"${KEY}\\n"}`]) {
				expect(await parsesOf(statusCode, body)).toMatchObject({ count: 2 });
			}
		},
	);

	test('that is answered with more than 1 MB is not parsed', async () => {
		const record = { id: 'task_1', status: 'completed', note: 'x'.repeat(1_000_000) };
		const { count, answers } = await parsesOf(200, JSON.stringify(record));
		const error = { kind: 'unreadable', reason: 'tooLarge' };
		expect(answers).toMatchObject([{ error }, { error }]);
		expect(count).toBe(0);
		expect((await parsesOf(500, JSON.stringify(record))).count).toBe(0);
	});

	const echo = (body: string) => async () => await Promise.resolve({ statusCode: 200, body });

	test.each(['{ "a": 1.0 }', 'C:\\videos', '{"a":"\\'])('brings %s as it came', async (body) => {
		expect((await transport(echo(body))(outgoing)).body).toBe(body);
	});

	test.each([
		['key"12\\34', '{"said":"key\\"12\\\\34 is bad"}', '{"said":"[API key] is bad"}'],
		['key-12', 'no key-12', 'no [API key]'],
		['key-12', '{"id":1234567890123456789,"at":"\\/x"}', '{"id":1234567890123456789,"at":"\\/x"}'],
		// Too short to be one.
		['a', 'data', 'data'],
	])('with the key %s, answered %s, has the body %s', async (key, body, expected) => {
		expect((await transport(echo(body), key)(outgoing)).body).toBe(expected);
	});
});
