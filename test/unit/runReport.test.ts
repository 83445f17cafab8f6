import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { logStopped, showOrphaned } from '../../nodes/Videogen/items/log';

/** n8n's log and the place beside the output. */
function scene() {
	const warnings: string[] = [];
	const hints: NodeExecutionHint[] = [];
	const nothing = () => undefined;
	const logger: IExecuteFunctions['logger'] = {
		debug: nothing,
		error: nothing,
		info: nothing,
		warn: (text) => void warnings.push(text),
	};
	const addExecutionHints = (...more: NodeExecutionHint[]) => void hints.push(...more);
	return { warnings, hints, report: { logger, addExecutionHints } };
}

const tasks = [
	{ itemIndex: 0, taskId: 'task_1', status: 'pending' },
	{ itemIndex: 1, taskId: 'task_2', status: 'processing' },
];

describe('a run that was stopped', () => {
	test('leaves its tasks in the log, under a heading', () => {
		const { warnings, report } = scene();
		logStopped(report, { tasks, unansweredItems: [2] });
		expect(warnings).toEqual([
			'The execution was stopped. Use Get Task to get the tasks of this run:\n' +
				'item 0: task_1 (pending), item 1: task_2 (processing), item 2: sent, no clear answer',
		]);
	});

	test('and has none says nothing', () => {
		const { warnings, report } = scene();
		logStopped(report, { tasks: [], unansweredItems: [] });
		expect(warnings).toEqual([]);
	});
});

describe('tasks of earlier tries', () => {
	test('are told in the log and beside the output', () => {
		const { warnings, hints, report } = scene();
		showOrphaned(report, [{ itemIndex: 0, taskId: 'task_0' }, ...tasks]);
		const message =
			'Not in the output: tasks of earlier tries of this node, item 0: task_0 (not known), item 0: task_1 (pending), item 1: task_2 (processing). Use Get Task to get them.';
		expect(warnings).toEqual([message]);
		expect(hints).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
	});

	test('that are none say nothing', () => {
		const { warnings, hints, report } = scene();
		showOrphaned(report, []);
		expect([...warnings, ...hints]).toEqual([]);
	});
});
