import { LABELS } from '../../nodes/Videogen/ground/words';
import {
	type OtherItems,
	otherItemsLines,
	otherItemsText,
} from '../../nodes/Videogen/run/otherItems';

const NO_OTHER_ITEMS: OtherItems = { tasks: [], unansweredItems: [] };
const RETRY = expect.stringMatching(/^In Executions, open this one and press Retry/);

const task = (itemIndex: number) => ({ itemIndex, taskId: `task_${itemIndex}`, status: 'failed' });
const tasks = (count: number) => Array.from({ length: count }, (_, index) => task(index));

describe('the other items in the text of an error', () => {
	const text = (others: Partial<OtherItems>, limit = 3): string[] => {
		const facts = { mayContinue: others.tasks !== undefined, isOfMany: false, isRefused: false };
		return otherItemsText({ ...NO_OTHER_ITEMS, ...others }, limit, facts);
	};

	test('are not mentioned where there are none', () => expect(text({})).toEqual([]));

	test('are named with their tasks, up to a limit', () => {
		const [sentence, ...more] = text({ tasks: tasks(3) });
		expect(sentence).toMatch(
			/^Other tasks: 1st item: task_0 \(failed\), 2nd item: task_1 \(failed\), 3rd item: task_2 \(failed\)\.$/,
		);
		expect(more).toEqual([RETRY]);
		expect(text({ tasks: tasks(5) })[0]).toContain('3rd item: task_2 (failed) and 2 more.');
	});

	test('are named where a create got no answer, up to a limit', () => {
		const [sentence, ...more] = text({ unansweredItems: [0, 2, 4] });
		expect(sentence).toContain('may exist and be charged: 1st item, 3rd item, 5th item. ');
		expect(sentence).toContain(
			`unless you switch on '${LABELS.resendAfterNoReply}' in '${LABELS.options}', save`,
		);
		expect(more).toEqual([]);
		expect(text({ unansweredItems: [1, 2, 3, 4] })[0]).toContain('4th item and 1 more. ');
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
				.map(
					({ itemIndex, taskId }) =>
						`${itemIndex + 1}${['st', 'nd', 'rd'][itemIndex] ?? 'th'} item: ${taskId} (failed)`,
				)
				.join(', '),
			'21st item: sent, no clear answer',
		]);
		expect(otherItemsLines({ tasks: tasks(20), unansweredItems: [] })).toHaveLength(1);
	});
});

const SENTENCES = {
	tasks: /^Other tasks: /,
	unanswered: /^Sent without a clear answer/,
	retry: /^In Executions, open this one and press Retry: .* orders only failed ones again\.$/,
	change: /^Change no field of the node before that/,
	sub: /^Retry execution 7 of this sub-workflow, not the one that called it, /,
	setToContinue: /^To get the videos of the other items, .* to Continue, save, and choose/,
};
const [made, unanswered] = [{ tasks: tasks(1) }, { unansweredItems: [0] }];
const both = { ...made, ...unanswered };
const [once, ofMany] = [{ isOfMany: false }, { isOfMany: true }];
const refused = { isRefused: true };
const sub = { subExecutionId: '7' };

test.each<[Partial<OtherItems>, object, Array<keyof typeof SENTENCES>]>([
	[{}, { mayContinue: false, ...ofMany }, []],
	[{}, { mayContinue: false, ...ofMany, ...sub }, []],
	[{}, { mayContinue: true, ...once }, ['retry']],
	[{}, { mayContinue: true, ...ofMany }, ['retry', 'change']],
	[{}, { mayContinue: true, ...ofMany, ...sub }, ['sub']],
	[made, { mayContinue: false, ...ofMany }, ['tasks']],
	[made, { mayContinue: false, ...ofMany, ...refused }, ['tasks']],
	[made, { mayContinue: true, ...once, ...refused }, ['tasks', 'retry']],
	[made, { mayContinue: true, ...ofMany, ...refused }, ['tasks', 'setToContinue', 'change']],
	[made, { mayContinue: true, ...ofMany, ...refused, ...sub }, ['tasks', 'setToContinue', 'sub']],
	[unanswered, { mayContinue: false, ...once }, ['unanswered']],
	[unanswered, { mayContinue: false, ...once, ...sub }, ['unanswered', 'sub']],
	[unanswered, { mayContinue: true, ...once }, ['unanswered', 'retry']],
	[both, { mayContinue: true, ...ofMany }, ['tasks', 'unanswered', 'setToContinue']],
	[both, { mayContinue: true, ...ofMany, ...sub }, ['tasks', 'unanswered', 'setToContinue', 'sub']],
])('what a retry does with %j is told for %j: %j', (others, facts, kinds) => {
	const allFacts = { mayContinue: false, isOfMany: false, isRefused: false, ...facts };
	const said = otherItemsText({ ...NO_OTHER_ITEMS, ...others }, 3, allFacts);
	expect(said).toEqual(kinds.map((kind) => expect.stringMatching(SENTENCES[kind])));
});
