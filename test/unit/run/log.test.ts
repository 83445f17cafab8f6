import type { INode } from 'n8n-workflow';
import { Log, reuseText } from '../../../nodes/Videogen/run/log';
import { fail, type Item, type WaitEnding } from '../../../nodes/Videogen/work/order';
import { NOT_STARTED } from '../../../nodes/Videogen/work/orderWords';
import {
	createItem,
	MINUTE,
	readItem,
	runningAs,
	taskOf,
	WAIT,
} from '../../programs/support/orders';

const node: INode = {
	...{ id: '1', name: 'Make', type: 'videogen', typeVersion: 1 },
	...{ position: [0, 0], parameters: {} },
};

/** What stands beside the output. */
function hintsFrom(tell: (log: Log) => void, onError?: INode['onError']): string[] {
	const hints: string[] = [];
	const nothing = () => undefined;
	tell(
		new Log({
			logger: { error: nothing, warn: nothing, info: nothing, debug: nothing },
			addExecutionHints: (...all) => void hints.push(...all.map(({ message }) => message)),
			getInputData: () => [],
			getNode: () => ({ ...node, onError }),
			getMode: () => 'trigger',
			getWorkflowDataProxy: () => {
				throw new Error('Nobody asked for it');
			},
		}),
	);
	return hints;
}

describe('what was used of earlier executions', () => {
	const NOW_MS = 1_000_000_000;
	const createFrom = (executionId: string, minutes: number): Item => ({
		...createItem('A fox'),
		isTaken: true,
		orderedBy: { executionId, atMs: NOW_MS - minutes * MINUTE },
	});
	const ordered = createItem('A fox');
	const text = (...items: Item[]) => reuseText(items, NOW_MS);
	const ANOTHER =
		"For another take, change something, or switch off 'Reuse in Editor' in 'Options'.";

	test.each([
		[0.4, 'just now'],
		[1, 'a minute ago'],
		[2, '2 minutes ago'],
		[119, '119 minutes ago'],
		[120, '2 hours ago'],
		[600, '10 hours ago'],
	])('%d minutes later is said so', (minutes, ago) =>
		expect(text(createFrom('7', minutes), ordered)).toBe(
			`Nothing was ordered for 1 of 2 videos: they exist already, from execution 7 (${ago}). ${ANOTHER}`,
		),
	);

	test('names each execution once, and three of them', () => {
		const items = ['7', '7', '8', '9', '10'].map((by) => createFrom(by, 1));
		expect(text(...items)).toContain(
			'for 5 of 5 videos: they exist already, from execution 7 (a minute ago), execution 8 (a minute ago), execution 9 (a minute ago) and 1 more.',
		);
		expect(text(createFrom('7', 1))).toContain('for 1 of 1 video: ');
	});

	test('warns where files stand behind URLs', () => {
		const item = createFrom('7', 1);
		item.order.request = { model: 'model', prompt: 'A fox', image_urls: ['https://e.com'] };
		expect(text(item)).toContain('. Files behind URLs were not compared. For another take');
	});

	test.each<[string, Item]>([
		['was ordered', ordered],
		['was only read', { ...createFrom('7', 1), order: readItem('task_1').order }],
		['is one of this execution', { ...createItem('A fox'), isTaken: true }],
		['was looked for in vain', { ...createFrom('7', 1), isTaken: false }],
	])('is nothing where the only one %s', (_what, item) => expect(text(item)).toBeUndefined());
});

describe('the hint beside links', () => {
	const create = (id: string): Item => {
		const item = createItem('A fox');
		item.order.state = runningAs(taskOf(id));
		return item;
	};

	test.each<[items: Item[], what: string, which: string, where: string]>([
		[[create('task_1')], 'The link usually stops', 'ID task_1', ', in a new workflow'],
		[[readItem('task_1')], 'The link usually stops', 'ID task_1', ''],
		[
			[readItem('task_1'), create('task_2')],
			'Links usually stop',
			'the IDs',
			', in a new workflow',
		],
	])('says how to keep what they lead to: %#', (items, what, which, where) =>
		expect(hintsFrom((log) => log.linksOnly(items))).toEqual([
			`${what} working after about a day: save what you want to keep, or use Get Task with ${which} and 'Download Results' on${where}, which costs nothing more`,
		]),
	);

	test('is none where there are none', () =>
		expect(hintsFrom((log) => log.linksOnly([]))).toEqual([]));
});

describe('the hint beside items in error', () => {
	const failed = createItem('A fox');
	fail(failed.order, { kind: 'refused', message: 'Not accepted.', description: '' });
	const unsent = createItem('A fox');
	fail(unsent.order, NOT_STARTED);
	const returned = (onFailure: WaitEnding): Item => {
		const item = createItem('A fox', { ...WAIT, onFailure });
		const task = taskOf('task_1', 'failed');
		item.order.state = { is: 'failed', taskId: 'task_1', task, hadVideo: false };
		return item;
	};

	test.each<[Item[], INode['onError'], hints: string[]]>([
		[[returned('returnTask')], undefined, []],
		[[failed], undefined, ['1 of 1 video was not made. First reason: Not accepted.']],
		[
			[returned('returnTask'), failed, unsent],
			'continueErrorOutput',
			['2 of 3 videos were not made. First reason: Not accepted. Open the Error branch.'],
		],
	])('says how many of how many, and the first reason: %#', (items, onError, hints) =>
		expect(hintsFrom((log) => log.failures(items), onError)).toEqual(hints),
	);
});
