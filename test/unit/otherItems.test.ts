import { LABELS } from '../../nodes/Videogen/parameters/labels';
import type { OtherItems } from '../../nodes/Videogen/messages/otherItems';
import { otherItemsLines, otherItemsText } from '../../nodes/Videogen/messages/otherItems';

const NO_OTHER_ITEMS: OtherItems = { tasks: [], unansweredItems: [] };
const RETRY = expect.stringMatching(/^To continue with the tasks that exist/);

const task = (itemIndex: number) => ({ itemIndex, taskId: `task_${itemIndex}`, status: 'failed' });
const tasks = (count: number) => Array.from({ length: count }, (_, index) => task(index));

describe('the other items in the text of an error', () => {
	const text = (others: Partial<OtherItems>, limit = 3): string[] => {
		const facts = { mayContinue: others.tasks !== undefined, isOfMany: false };
		return otherItemsText({ ...NO_OTHER_ITEMS, ...others }, limit, facts);
	};

	test('are not mentioned where there are none', () => expect(text({})).toEqual([]));

	test('are named with their tasks, up to a limit', () => {
		const [sentence, ...more] = text({ tasks: tasks(3) });
		expect(sentence).toMatch(
			/^Other tasks: item 0: task_0 \(failed\), item 1: task_1 \(failed\), item 2: task_2 \(failed\)\.$/,
		);
		expect(more).toEqual([RETRY]);
		expect(text({ tasks: tasks(5) })[0]).toContain('item 2: task_2 (failed) and 2 more.');
	});

	test('are named where a create got no answer, up to a limit', () => {
		const [sentence, ...more] = text({ unansweredItems: [0, 2, 4] });
		expect(sentence).toContain('may exist and be charged: item 0, item 2, item 4. ');
		expect(sentence).toContain(
			`unless you switch on ${LABELS.resendAfterNoReply} in ${LABELS.options}, save`,
		);
		expect(more).toEqual([]);
		expect(text({ unansweredItems: [1, 2, 3, 4] })[0]).toContain('item 3 and 1 more. ');
	});

	test('have a sentence of each kind', () => {
		expect(text({ tasks: tasks(1), unansweredItems: [1] })).toEqual([
			expect.stringMatching(/^Other tasks/),
			expect.stringMatching(/^Sent without a clear answer/),
			RETRY,
		]);
	});
});

describe('the other items in the log', () => {
	test('are no line where there are none', () =>
		expect(otherItemsLines(NO_OTHER_ITEMS)).toEqual([]));

	test('are all there, tasks first, twenty in a line', () => {
		const lines = otherItemsLines({ tasks: tasks(20), unansweredItems: [20] });
		expect(lines).toEqual([
			tasks(20)
				.map(({ itemIndex, taskId }) => `item ${itemIndex}: ${taskId} (failed)`)
				.join(', '),
			'item 20: sent, no clear answer',
		]);
		expect(otherItemsLines({ tasks: tasks(20), unansweredItems: [] })).toHaveLength(1);
	});
});

const RETRY_SUB =
	/^Retry execution 7 of this sub-workflow\. Do not retry the execution that called it/;
const [made, unanswered] = [{ tasks: tasks(1) }, { unansweredItems: [0] }];
const [once, ofMany] = [{ isOfMany: false }, { isOfMany: true }];
test.each([
	[{}, { mayContinue: false, ...ofMany }, /^$/],
	[{}, { mayContinue: true, ...once }, /continue with the tasks that exist/],
	[
		{},
		{ mayContinue: true, ...once, subExecutionId: '7' },
		/retry execution 7 of this sub-workflow: .* Do not retry the execution that called it/,
	],
	[made, { mayContinue: false, ...ofMany }, /^Other tasks/],
	[unanswered, { mayContinue: false, ...once }, /^Sent without a clear answer/],
	[{ ...made, ...unanswered }, { mayContinue: true, ...ofMany }, /to Continue, save/],
	[{}, { mayContinue: true, ...ofMany }, /A field that you change for all items/],
	[unanswered, { mayContinue: false, ...once, subExecutionId: '7' }, RETRY_SUB],
	[{ ...made, ...unanswered }, { mayContinue: true, ...ofMany, subExecutionId: '7' }, RETRY_SUB],
])('what a retry does with %j is told for %j', (others, facts, advice) => {
	const said = otherItemsText({ ...NO_OTHER_ITEMS, ...others }, 3, facts);
	expect(said.at(-1) ?? '').toMatch(advice);
});
