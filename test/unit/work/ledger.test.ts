import { CONTEXT_KEY, savedBook } from '../../../nodes/Videogen/work/book';
import type { Scope } from '../../../nodes/Videogen/work/choose';
import type { Order } from '../../../nodes/Videogen/work/order';
import type { CreatePlan, ReadPlan, StopPlan } from '../../../nodes/Videogen/work/session';
import { click, firstOf, NodeRuns, reach, type Reached } from '../../support/nodeRuns';
import { askedFor, failureOf, fox, planOf, taskOf } from '../../support/orders';

let runs: NodeRuns;
beforeEach(() => (runs = new NodeRuns()));

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const EXECUTION_2 = { executionId: '2' };

const withText = (keyText: string, index = 0): CreatePlan =>
	planOf('', { index, asked: askedFor(keyText, { keyText }) });
const resending = (plan = planOf()): CreatePlan => ({
	...plan,
	settings: { ...plan.settings, resendAfterNoReply: true },
});
const kept = () => {
	const book = savedBook(runs.context, false);
	if (!book) throw new Error('It can be read');
	return book;
};

test.each<[string, Partial<Scope>, isAnew: boolean, string | undefined]>([
	['the same execution', {}, false, undefined],
	['its Retry, which continues it', EXECUTION_2, false, undefined],
	['a click', click('3'), true, '1'],
])('%s says who created a video that it reuses', async (_who, scope, isAnew, reusedFrom) => {
	await runs.bring([planOf()]);
	if (isAnew) runs.startAnew();
	for (let time = 0; time < 2; time += 1) {
		const { jobs } = await runs.assign([planOf()], scope);
		expect(jobs).toMatchObject([{ do: 'read', reusedFrom }]);
	}
});

describe('a random key', () => {
	test.each<[string, keepsKey: boolean, requestHash: string, isSame: boolean]>([
		['a 429', true, 'request of A fox', true],
		['another no', false, 'request of A fox', false],
		['a 429 of another request', true, 'now', false],
	])('is kept after %s: %s', async (_what, keepsKey, requestHash, isSame) => {
		const run = await runs.assign([planOf()]);
		const order = firstOf(run);
		const { key } = order;
		run.ledger.send(order);
		run.ledger.apply(order, { type: 'no' }, keepsKey);
		run.ledger.close();
		const plan = fox({ requestHash });
		const again = firstOf(await runs.assign([plan]));
		expect([again === order, again.key === key]).toEqual([true, isSame]);
		expect(again).toMatchObject({ key: expect.stringMatching(UUID), asked: plan.asked });
	});

	test('is kept after a no to a resend', async () => {
		const { key } = firstOf(await runs.bring([planOf()], {}, 'sent'));
		const run = await runs.bring([resending()], EXECUTION_2, 'new');
		expect(firstOf(run)).toMatchObject({ key, state: { is: 'sent' } });
	});
});

describe('a text gives a key', () => {
	test.each<[Reached, nextCount: number]>([
		['new', 0],
		['task', 0],
		['content', 0],
		['failed', 1],
		['final', 1],
	])('of a %s one, the next has count %s', async (reached, keyCount) => {
		const plan = withText('row 7');
		const { key } = firstOf(await new NodeRuns().assign([plan]));
		await runs.bring([plan], {}, reached);
		const next = firstOf(await runs.assign([plan], { executionId: '9' }));
		expect([next.keyCount, next.key === key]).toEqual([keyCount, keyCount === 0]);
	});

	test('in the editor, one more than the order that it replaces', async () => {
		const clicks: Order[] = [];
		for (const executionId of ['1', '2', '3']) {
			runs.startAnew();
			clicks.push(firstOf(await runs.bring([withText('row 7')], click(executionId), 'failed')));
		}
		expect(clicks.map(({ keyCount }) => keyCount)).toEqual([0, 1, 2]);
	});

	test('that counts no end twice, and forgets none', async () => {
		const run = await runs.bring([withText('row 7')], {}, 'failed');
		const order = firstOf(run);
		for (const ended of [order, { ...order, keyCount: 4 }, order]) reach(run, ended, 'failed');
		expect(firstOf(await runs.assign([withText('row 7')])).keyCount).toBe(5);
	});

	test.each(['constructor', '__proto__', 'toString'])('whatever the text: %s', async (text) => {
		await runs.bring([withText(text)], {}, 'failed');
		runs.changeProcess();
		expect(firstOf(await runs.assign([withText(text)], EXECUTION_2)).keyCount).toBe(1);
	});

	test('that its order takes up after a no', async () => {
		const { id } = firstOf(await runs.bring([planOf()], {}, 'new'));
		const keys = [firstOf(await new NodeRuns().assign([withText('row 7')])).key];
		for (const [nth, keyText] of ['row 7', 'row 7', 'row 8'].entries()) {
			const plan = fox({ keyText, requestHash: `request ${nth}` });
			const run = await runs.assign([plan]);
			run.ledger.close();
			const order = firstOf(run);
			expect(order).toMatchObject({ id, asked: plan.asked });
			keys.push(order.key);
		}
		expect(keys.map((key) => key === keys[0])).toEqual([true, true, true, false]);
	});
});

describe('the limit', () => {
	const rows = (...prompts: string[]): CreatePlan[] =>
		prompts.map((prompt, index) => planOf(prompt, { index }));

	test('creates all or none, and keeps nothing of what it rejects', async () => {
		await runs.bring(rows('A fox'));
		const { does, orders } = await runs.assign(rows('A fox', 'An owl', 'A cat'), {}, 2);
		expect([does, orders.length]).toEqual(['read limit limit', 1]);
		expect(Object.keys(kept().orders)).toEqual(['0:0']);
		expect(kept().created).toEqual({ 1: 1 });
		expect((await runs.assign(rows('A fox', 'An owl', 'A cat'), {}, 3)).does).toBe(
			'read create create',
		);
	});

	test('names itself, what it would create, and what was created before', async () => {
		const plans = [30, undefined, 5].map((duration, index) => {
			const request = { model: 'm', prompt: 'x', duration };
			return planOf('', { index, asked: askedFor(`${index}`, { request }) });
		});
		const messageIn = async (run: number) => {
			const [job] = (await runs.assign(plans, { run }, 2)).jobs;
			return job?.do === 'stop' ? job.failure.message : '';
		};
		const would = ' is 2, but this execution would create 3 videos (40 seconds in total)';
		const first = await messageIn(0);
		expect(first).toContain(would);
		expect(first).toMatch(/in total\)(?:\.|$)/);
		await runs.bring(rows('An owl'), { run: 1 });
		expect(await messageIn(2)).toContain(`${would}, after 1 before`);
	});

	test('counts in all runs of an execution, and each execution for itself', async () => {
		await runs.bring(rows('A fox', 'An owl'));
		expect((await runs.assign(rows('A fox'), { run: 1 }, 2)).does).toBe('limit');
		expect((await runs.assign(rows('A fox'), { ...EXECUTION_2, run: 1 }, 1)).does).toBe('create');
	});

	test('counts a resend by another execution once', async () => {
		await runs.bring([planOf()], {}, 'sent');
		const resends = async () => await runs.assign([resending()], EXECUTION_2, 1);
		expect([(await resends()).does, kept().created]).toEqual(['create', { 1: 1, 2: 1 }]);
		runs.changeProcess();
		expect([(await resends()).does, kept().created]).toEqual(['create', { 1: 1, 2: 1 }]);
	});
});

describe('what n8n has kept', () => {
	test('has a higher revision after everything that changes it', async () => {
		const revisions: number[] = [];
		const note = () => void revisions.push(kept().revision);
		const run = await runs.assign([planOf()]);
		note();
		run.ledger.send(firstOf(run));
		note();
		run.ledger.apply(firstOf(run), { type: 'created', task: taskOf('queued') });
		note();
		run.ledger.close();
		const returned = { orderId: firstOf(run).id };
		await runs.assign([planOf('A fox', { returned })], { run: 1 });
		note();
		expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
	});

	test.each([{ version: 0 }, { version: 2, id: 'x', orders: {} }, 'text', null, [7]])(
		'creates nothing if it cannot be read, and stays; reads go on: %j',
		async (value) => {
			runs.context = { [CONTEXT_KEY]: value };
			const item = { index: 0, simplify: true };
			const stop: StopPlan = { ...item, do: 'stop', failure: failureOf('invalid') };
			const read: ReadPlan = { ...item, do: 'read', taskId: 'task_1' };
			const { does, jobs, ledger } = await runs.assign([planOf(), stop, read]);
			ledger.close();
			expect(does).toBe('noAnswer invalid read');
			expect(jobs[0]).toMatchObject({
				failure: { message: expect.stringContaining('cannot be read by this version') },
			});
			expect(runs.context).toEqual({ [CONTEXT_KEY]: value });
		},
	);
});
