import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { logCreated, logStopped, showOrphaned } from '../../nodes/Videogen/run/log';
import { RUN_AGAIN } from '../../nodes/Videogen/run/outcomeMessage';
import { fetchAdvice } from '../../nodes/Videogen/ground/words';
import { asTask } from '../../nodes/Videogen/service/task';

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
	const getInputData = () => [{ json: {} }];
	return { warnings, hints, report: { logger, addExecutionHints, getInputData } };
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
			`The execution was stopped. ${RUN_AGAIN} The tasks of this run:\n` +
				'1st item: task_1 (pending), 2nd item: task_2 (processing), 3rd item: sent, no clear answer',
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
			'Not in the output: tasks of earlier tries of this node, 1st item: task_0 (not known), 1st item: task_1 (pending), 2nd item: task_2 (processing). Use Get Task to get them.';
		expect(warnings).toEqual([message]);
		expect(hints).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
	});

	test('that are none say nothing', () => {
		const { warnings, hints, report } = scene();
		showOrphaned(report, []);
		expect([...warnings, ...hints]).toEqual([]);
	});
});

describe('an ID, wherever it is the way back to a paid task,', () => {
	const scenes = (id: string): string[] => {
		const { warnings, hints, report } = scene();
		const infos: string[] = [];
		const logger = { ...report.logger, info: (text: string) => void infos.push(text) };
		const task = asTask({ id, status: 'pending' });
		if (task === undefined) throw new Error('It is no ID');
		logCreated({ ...report, logger }, task, 0, false);
		logCreated(report, task, 0, true);
		logStopped(report, { tasks: [{ itemIndex: 0, taskId: id }], unansweredItems: [] });
		showOrphaned(report, [{ itemIndex: 0, taskId: id }]);
		return [...infos, ...warnings, ...hints.map(({ message }) => message), fetchAdvice(id)];
	};

	test.each([
		['of a usual kind', 'task_1'],
		['that looks like a signed token', 'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl'],
		['that looks like the end of a link', 't?token=abc&sig=def'],
		['of a thousand characters', 'x'.repeat(1_000)],
		['with spaces in it', 'a  b\u00a0c'],
		['of another alphabet', 'äöü\u{1f600}'],
	])('%s, is whole', (_name, id) => {
		const texts = scenes(id);
		expect(texts).toHaveLength(6);
		for (const text of texts) expect(text).toContain(id);
	});

	test.each([
		['a line break', 'a\nERROR forged', '"a\\nERROR forged"'],
		['control characters', 'a\u0000\u001b[2J\u009b', '"a\\u0000\\u001b[2J\\u009b"'],
		['what turns the text around', 'a\u202eb\u2028\u200b', '"a\\u202eb\\u2028\\u200b"'],
		['an invisible character of two units', 'a\u{e0001}', '"a\\udb40\\udc01"'],
		['a quote at its beginning', '"a"', '"\\"a\\""'],
	])('with %s, is in a form that breaks no line and leads back to it', (_name, id, form) => {
		expect(JSON.parse(form)).toBe(id);
		for (const text of scenes(id)) {
			expect(text).toContain(form);
			// The heading of the stopped run is a line of its own.
			expect(text.replace(/^The execution was stopped.*\n/, '')).not.toMatch(
				/[\p{Cc}\p{Cf}\u2028]/u,
			);
		}
	});
});
