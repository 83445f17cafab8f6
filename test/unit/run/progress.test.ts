import { endText, withProgress } from '../../../nodes/Videogen/run/progress';
import { streamOf } from '../../../nodes/Videogen/ground/n8n';
import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import { fail, type Item, type State } from '../../../nodes/Videogen/work/order';
import { NOT_STARTED } from '../../../nodes/Videogen/work/orderWords';
import { VirtualClock } from '../../programs/support/clocks';
import { createItem, createItems, runningAs, taskOf } from '../../programs/support/orders';

/** What becomes of the items, each change at its second. */
type Course = Array<[second: number, change: (items: Item[]) => void]>;

const at = (index: number, state: State) => (items: Item[]) =>
	items.slice(index, index + 1).forEach(({ order }) => void (order.state = state));
const all = (state: State) => (items: Item[]) =>
	items.forEach(({ order }) => void (order.state = state));
const to = (progress?: number) => runningAs(taskOf('task_1', 'processing', { progress }));
const started = all(to(0));
const completedWith = (results?: string[]): State => ({
	...{ is: 'completed', taskId: 'task_1' },
	task: taskOf('task_1', 'completed', { results }),
});
const done = completedWith();

/** The lines of a run, each with the second in which it came. */
async function linesOf(
	count: number,
	course: Course,
	more: { first?: string; heldUpBy?: (now: number) => ServiceError | undefined } = {},
): Promise<string[]> {
	const { first, heldUpBy } = more;
	const clock = new VirtualClock();
	const lines: string[] = [];
	const items = createItems(count);
	const stream = (type: string, text = '') =>
		void lines.push(`${Math.round(clock.now() / 1_000)} ${type === 'item' ? text.trim() : type}`);
	const shown = { clock, stream, first, heldUpBy: () => heldUpBy?.(clock.now()) };
	await withProgress(items, shown, async () => {
		for (const [second, change] of course) {
			await clock.sleep(second * 1_000 - clock.now());
			change(items);
		}
	});
	expect(clock.sleeping).toBe(0);
	return lines;
}

test('one video: started, every quarter of the way, finished', async () => {
	const course: Course = [3, 10, 20, 30, 40].map((second) => [second + 0.5, all(to(2.2 * second))]);
	expect(await linesOf(1, [[0.5, started], ...course, [50.5, all(done)]])).toEqual([
		...['0 begin', '1 Your video is being made.', '21 Your video is being made: 44 %.'],
		...['31 Your video is being made: 66 %.', '41 Your video is being made: 88 %.'],
		...['51 Your video is finished.', '51 end'],
	]);
});

test('five videos share a line, and lines are never closer than five seconds on the way', async () => {
	const course: Course = [0, 1, 2, 3].map((index) => [10.2 + index, at(index, done)]);
	expect(await linesOf(5, [[0.5, started], ...course, [20.5, at(4, done)]])).toEqual([
		...['0 begin', '1 5 videos are being made.', '12 2 of 5 videos are finished: 40 %.'],
		...['17 4 of 5 videos are finished: 80 %.', '21 All 5 videos are finished.', '21 end'],
	]);
});

test.each([
	[[40], 'Your video is being made: 40 %.'],
	[[0.9], 'Your video is being made.'],
	[[-50, 50], '2 videos are being made: 25 %.'],
	[[250, undefined], '2 videos are being made: 50 %.'],
])('the first line of a retry says how far the videos are: %j', async (progress, said) => {
	const course: Course = progress.map((percent, index) => [0.5, at(index, to(percent))]);
	const [, first] = await linesOf(progress.length, [...course, [1.5, all(done)]]);
	expect(first).toBe(`1 ${said}`);
});

test.each([
	[1, 'No video: The service refused this video: Flagged.'],
	[3, '2 of 3 videos are finished, 1 is not.'],
])('with %i items, of which one fails: %j', async (count, said) => {
	const error = { code: 'policy', message: 'Flagged' };
	const task = taskOf('task_1', 'failed', { error });
	const failed: State = { is: 'failed', taskId: 'task_1', task, hadVideo: false };
	const course: Course = [
		[0.5, started],
		[2.5, all(done)],
		[2.6, at(0, failed)],
	];
	expect((await linesOf(count, course)).slice(-2)).toEqual([`3 ${said}`, '3 end']);
});

test('what creates wait for is said as soon as they have waited for a minute, and again', async () => {
	const error: ServiceError = { kind: 'status', status: 429, isJson: true };
	const waits = 'Not all videos are created yet: the node waits for the service, and tries again.';
	const said = `${waits} Rate limit reached (429).`;
	expect(
		await linesOf(
			1,
			[
				[60.5, () => undefined],
				[110.5, started],
				[112.5, all(done)],
			],
			{ heldUpBy: (now) => (now >= 60_000 && now < 110_000 ? error : undefined) },
		),
	).toEqual([
		...['0 begin', `60 ${said}`, `105 ${said}`, '113 Your video is finished.', '113 end'],
	]);
});

describe('the last line', () => {
	const url = (id: number) => `https://e.com/${id}.mp4`;
	const finished = (id: number): Item => {
		const item = createItem('A fox');
		item.order.state = completedWith([url(id)]);
		return item;
	};
	const notMade = createItem('A fox');
	fail(notMade.order, NOT_STARTED);

	test('has the link of the video', () =>
		expect(endText([finished(1)])).toBe(`Your video is finished.\n\n${url(1)}`));

	test.each(['It broke', 'It broke.', 'Why?', 'It says: “No.”'])(
		'says with one full stop why there is no video: %s',
		(message) => {
			const item = createItem('A fox');
			fail(item.order, { ...NOT_STARTED, message });
			const said = /[^.?”]$/.test(message) ? `${message}.` : message;
			expect(endText([item])).toBe(`No video: ${said}`);
		},
	);

	test('has the links of all, up to twenty', () => {
		const all = endText([finished(1), notMade, finished(2)]);
		expect(all).toBe(`2 of 3 videos are finished, 1 is not.\n\n${url(1)}\n\n${url(2)}`);
		const many = endText(Array.from({ length: 23 }, (_, id) => finished(id)));
		expect(many).toMatch(/^All 23 videos are finished\..* and 3 more$/s);
	});
});

test('what throws ends the lines, too', async () => {
	const lines: string[] = [];
	const clock = new VirtualClock();
	const stream = (type: string, text = type) => void lines.push(text);
	const work = async () => await Promise.reject(new Error('It broke'));
	const shown = { clock, stream, heldUpBy: () => undefined };
	await expect(withProgress(createItems(1), shown, work)).rejects.toThrow('It broke');
	expect(lines).toEqual(['begin', 'This workflow has stopped.', 'end']);
	expect(clock.sleeping).toBe(0);
});

describe('the stream of n8n', () => {
	test('is none where n8n streams no answer, or has no means for it', () => {
		expect(streamOf({})).toBeUndefined();
		expect(streamOf({ isStreaming: () => false, sendChunk: () => undefined })).toBeUndefined();
	});

	test.each([
		[
			'throws',
			() => {
				throw new Error('gone');
			},
		],
		['rejects', async () => await Promise.reject(new Error('gone'))],
	])('that %s, because nobody listens any more, changes nothing', async (_, sendChunk) => {
		const stream = streamOf({ isStreaming: () => true, sendChunk });
		expect(stream?.('item', 'text')).toBeUndefined();
		await new Promise((resolve) => setImmediate(resolve));
	});
});
