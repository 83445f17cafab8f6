import type { HttpAnswer } from '../../../nodes/Videogen/service/types';
import { parseJson } from '../../../nodes/Videogen/shared/json';
import { RequestTimedOut } from '../../../nodes/Videogen/service/networkReason';
import {
	type OutgoingRequest,
	type Send,
	ServiceClient,
} from '../../../nodes/Videogen/service/client';
import { wordsOf } from '../../../nodes/Videogen/service/providerMessage';
import { failedCall } from '../../support/networkErrors';

const NOW = Date.parse('2026-01-01T00:00:10Z');
const READ_MS = 30_000;

describe('the client of the service', () => {
	const BASE = 'https://api.example.com/video';
	const request = { model: 'videogen-2.5-text-to-video', prompt: 'fox' };
	const answering =
		(answer: Partial<HttpAnswer>, sent: OutgoingRequest[] = []): Send =>
		async (outgoing) => {
			sent.push(outgoing);
			const { body = '' } = answer;
			const json = parseJson(body);
			return await Promise.resolve({ statusCode: 200, headers: {}, body, json, ...answer });
		};
	const clientOf = (send: Send) => new ServiceClient(send, BASE, () => NOW);

	test('creates and reads at the addresses of the contract, each with its own limit', async () => {
		const sent: OutgoingRequest[] = [];
		const client = clientOf(answering({}, sent));
		await client.create(request, 'order');
		await client.read('task_1');
		const url = `${BASE}/v1/videos/generations`;
		const create = { method: 'POST', url, body: request, idempotencyKey: 'order' };
		expect(sent).toEqual([
			{ ...create, limitMs: 300_000 },
			{ method: 'GET', url: `${BASE}/v1/tasks/task_1`, limitMs: READ_MS },
		]);
	});

	test.each([
		{ atMostMs: 7_000.4, limitMs: 7_001 },
		{ atMostMs: READ_MS + 1, limitMs: READ_MS },
	])('a read takes no longer than it may: %j', async ({ atMostMs, limitMs }) => {
		const sent: OutgoingRequest[] = [];
		await clientOf(answering({}, sent)).read('task_1', undefined, atMostMs);
		expect(sent).toMatchObject([{ limitMs }]);
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

	const readOf = async (answer: Partial<HttpAnswer>) =>
		await clientOf(answering(answer)).read('task_1');

	test('takes a record from any 2XX, and from nothing else', async () => {
		const body = '{"id":"task_1","status":"completed"}';
		const statuses = [200, 201, 202, 299, 199, 300, 304, 400, 500];
		const answers = statuses.map(async (statusCode) => await readOf({ statusCode, body }));
		const kinds = (await Promise.all(answers)).map(({ kind }) => kind);
		expect(kinds).toEqual([...Array(4).fill('task'), ...Array(5).fill('error')]);
		const created = await clientOf(answering({ body })).create(request, 'order');
		expect(created).toMatchObject({ kind: 'task', task: { id: 'task_1' } });
	});

	const createOf = async (answer: Partial<HttpAnswer>) =>
		await clientOf(answering(answer)).create(request, 'order');

	test.each<[statusCode: number, body: object, namedTaskId: string | undefined]>([
		[400, { id: 'task_1', status: 'pending' }, 'task_1'],
		[409, { id: 'task_1', status: 'Processing' }, 'task_1'],
		[429, { data: { id: 'task_1', status: 'completed' } }, 'task_1'],
		[500, { error: { message: 'no' }, task: { id: 7, status: 'failed' } }, '7'],
		[302, { result: { id: 'task_1', status: 'cancelled' } }, 'task_1'],
		[500, { id: 'req_1', status: 'error', data: { id: 'task_1', status: 'pending' } }, 'task_1'],
		// Under another name.
		[200, { task_id: 'task_1', status: 'queued' }, 'task_1'],
		[200, { code: 0, data: { taskId: 'task_1' } }, 'task_1'],
		[200, { id: 'req_1', task: { task_id: 7 } }, '7'],
		[200, { id: 'req_1', status: 'success', data: { task_id: 'task_1' } }, 'task_1'],
		[200, { code: 0, data: null, result: { requestId: 'task_1', state: 'IN_QUEUE' } }, 'task_1'],
		[200, { request_id: 'r', status: 'queued', error: 'x', data: { task_id: 'task_1' } }, 'task_1'],
		[400, { error: { message: 'no' }, task_id: 'task_1' }, 'task_1'],
		[200, { task_id: ' ', request_id: 'req_1', status: 'success' }, undefined],
		[400, { request_id: 'req_1', status: 'failed' }, undefined],
		[400, { request_id: 'req_1', status: { toString: null } }, undefined],
		[400, { error: { task_id: 'task_1' } }, undefined],
		// The id of a request, or of an error.
		[500, { id: 'req_1', status: 'error' }, undefined],
		[400, { id: 'req_1' }, undefined],
		[400, { error: { id: 'task_1', status: 'pending' } }, undefined],
	])('a create answered %i with %j names the task %s', async (statusCode, reply, namedTaskId) =>
		expect(await createOf({ statusCode, body: JSON.stringify(reply) })).toMatchObject({
			kind: 'error',
			error: { kind: statusCode === 200 ? 'unreadable' : 'status', namedTaskId },
		}),
	);

	const DEEP = `${'['.repeat(600)}${']'.repeat(600)}`;
	test.each([
		['nested too deeply', `{"deep":${DEEP},"id":"task_1","status":"pending"}`, 'task_1'],
		['with an echo', String.raw`{"prompt":"\"id\":\"no\"","task_id" : 7,`, '7'],
		['cut off', '{"id":"task_1","sta', 'task_1'],
		['with an empty one before it', '{"id":null,"task_id":"task_1","sta', 'task_1'],
		['with an empty one', '{"id": null,"sta', undefined],
		['that begins like an empty one', '{"id":"nullable_1","sta', 'nullable_1'],
		['a page', '<script>{"id":"no"}</script>', undefined],
		['without an id', '{"ids":"no"', undefined],
	])('a success that cannot be parsed keeps its id: %s', async (_what, body, namedTaskId) => {
		expect(await createOf({ body })).toMatchObject({ error: { kind: 'unreadable', namedTaskId } });
		const { error } = Object(await createOf({ statusCode: 400, body }));
		expect(error.namedTaskId).toBeUndefined();
	});

	test('a read is answered only by the record of its own task', async () => {
		const answer = async (reply: object) => await readOf({ body: JSON.stringify(reply) });
		const other = { id: 'task_2', status: 'completed' };
		const otherTask = { error: { kind: 'unreadable', reason: 'otherTask' } };
		expect(await answer(other)).toMatchObject(otherTask);
		expect(await answer({ data: other })).toMatchObject(otherTask);
		const own = { id: 'task_1', status: 'pending' };
		expect(await answer({ ...other, data: own })).toMatchObject({ task: { record: own } });
		expect(await answer({ error: 'no', code: 7 })).toMatchObject({
			error: { kind: 'unreadable', reason: 'notTask', serviceMessage: 'no' },
		});
	});

	test.each([
		[' \n', 'empty'],
		['<html></html>', 'html'],
		['{"id":', 'notJson'],
		['null', 'notTask'],
		['{}', 'notTask'],
		['{"i', 'tooLarge'],
	])('says of the body %j that it is %s', async (body, reason) => {
		const excerpt = body.trim().replaceAll('<', '‹').replaceAll('>', '›');
		const error = { kind: 'unreadable', reason, excerpt };
		const answer = { body, isTooLarge: reason === 'tooLarge' };
		expect(await createOf(answer)).toEqual({ kind: 'error', error });
		expect(await readOf(answer)).toEqual({ kind: 'error', error });
	});

	test('tells all that a refusal says', async () => {
		const location = 'https://e.com';
		const headers = { 'retry-after': new Date(NOW + 3_000).toUTCString(), location };
		const body = '{"error":{"message":"slow down"}}';
		const said = { serviceMessage: 'slow down', retryAfterMs: 3_000, location };
		const looks = { isJson: true, isPage: false, excerpt: body };
		const error = { kind: 'status', status: 429, ...said, ...looks };
		expect(await readOf({ statusCode: 429, headers, body })).toEqual({ kind: 'error', error });
	});

	test.each<[statusCode: number, reply: unknown, ...facts: string[]]>([
		// What may be the ID of a task is not lost beside an error.
		[200, { id: 'task_7', error: { message: 'No' } }, 'No (', '"task_7"'],
		[200, { code: 1, description: 'Submitted', result: '1400' }, '"1400"'],
		// Words in a place of their own, as Django and AWS put them.
		[400, { prompt: ['At most 2,000 characters'] }, 'At most 2,000'],
		[403, { Message: 'Denied' }, 'Denied'],
		[400, { code: 400, info: 'Too long' }, 'Too long'],
		[400, [7], '7'],
	])('a create answered %i with %j quotes %j', async (statusCode, reply, ...facts) => {
		const { error } = Object(await createOf({ statusCode, body: JSON.stringify(reply) }));
		for (const fact of facts) expect(wordsOf(error)).toContain(fact);
	});

	test.each([
		['{"error":"no"}', true, false, 'no'],
		['[1]', false, false, '1'],
		['"text"', false, false, 'text'],
		['Service down', false, false, 'Service down'],
		['{"error":', false, false, '{"error":'],
		['no <html>', false, false, 'no ‹html›'],
		['', false, false, undefined],
		// A page says nothing.
		[' \n<!doctype HTML>', false, true, undefined],
		['<!-- by a gateway -->\n<html>', false, true, undefined],
	])('the body %j of a refusal is JSON: %s, a page: %s, and says %j', async (body, ...expected) => {
		const { error } = Object(await readOf({ statusCode: 502, body }));
		expect([error.isJson, error.isPage, error.serviceMessage]).toEqual(expected);
	});

	test.each([
		[new RequestTimedOut(), 'timeout'],
		[failedCall({ syscall: 'connect', code: 'ECONNREFUSED' }), 'connectionRefused'],
		['anything', 'lost'],
	])('never throws: %p is a network error', async (thrown, reason) => {
		const error = { kind: 'error', error: { kind: 'network', reason } };
		const client = clientOf(async () => await Promise.reject(thrown));
		expect(await client.create(request, 'order')).toEqual(error);
		expect(await client.read('task_1')).toEqual(error);
	});
});
