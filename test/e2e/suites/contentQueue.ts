import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { DataTable, Execution, N8nApi, Row, SavedWorkflow } from '../../n8n/api';
import { QUEUE_COLUMNS, prepared, readExample, tableSetting } from '../../n8n/examples';
import { pollUntil } from '../../n8n/poll';
import { pauseNode, to, type NewNode, type NewWorkflow } from '../../n8n/workflows';
import { sampleMp4 } from '../../support/sampleFiles';
import type { Suite } from '../beds/suite';
import { BROKEN, STANDING_STILL, jsonFrom, status } from '../vocabulary';

export const QUEUE = 'content-queue.json';

export const CREATE = 'Every Hour';
export const COLLECT = 'Every Five Minutes';
export const CREATES = 'Create Videos';
/** n8n asks the service for one state of a task after the other. */
const QUEUE_TIMEOUT_MS = 60_000;
/** Long enough for several runs to read the table before one of them writes. */
const HOLD_SECONDS = 4;

export interface QueueSettings {
	folder?: string;
	rowsEachTime?: string;
	checkAfterMinutes?: string;
}

/** One data table and the workflow that works on it. */
export class Queue {
	private constructor(
		private readonly n8n: Suite,
		readonly table: DataTable,
	) {}

	static async of(n8n: Suite, prompts: readonly string[], rowStatus = 'open'): Promise<Queue> {
		const table = await n8n.api.createDataTable(`Queue ${randomUUID()}`, QUEUE_COLUMNS);
		await n8n.api.addRows(
			table,
			prompts.map((prompt) => ({ prompt, status: rowStatus })),
		);
		return new Queue(n8n, table);
	}

	/** As it is after a person has followed the notes. */
	workflow(settings: QueueSettings = {}): NewWorkflow {
		const { bed, version } = this.n8n;
		const table = tableSetting(this.table, version);
		return prepared(readExample(QUEUE), {
			credentials: { videogenApi: bed.credential },
			settings: { folder: bed.filesFolder, table, ...settings },
		});
	}

	/** Starts a workflow at one of its two schedules, as *Execute workflow* does. */
	async start(trigger: string, workflow = this.workflow()): Promise<string> {
		const { api } = this.n8n;
		return await api.runWorkflow(await api.createWorkflow(workflow), undefined, trigger);
	}

	async run(trigger: string, settings?: QueueSettings): Promise<Execution> {
		return await this.n8n.ended(await this.start(trigger, this.workflow(settings)));
	}

	/** Publishes the workflow with both schedules every second, and lets n8n start it. */
	async publish(settings?: QueueSettings): Promise<SavedWorkflow> {
		const workflow = this.workflow(settings);
		for (const node of workflow.nodes.filter(({ type }) => type.endsWith('.scheduleTrigger'))) {
			node.parameters = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
		}
		const saved = await this.n8n.api.createWorkflow(workflow);
		await this.n8n.api.publish(saved);
		return saved;
	}

	/** Waits until every row has this in a column. */
	async until(column: string, wanted: string): Promise<void> {
		const isSo = async () =>
			(await rowsOf(this.n8n.api, this.table)).every((row) =>
				String(row[column]).includes(wanted),
			) || undefined;
		const what = `${column} to be ${wanted} in every row`;
		await pollUntil(isSo, { what, timeoutMs: QUEUE_TIMEOUT_MS });
	}

	/** What a person does by hand in every row of a status. */
	async edit(rowStatus: string, data: Row): Promise<void> {
		await this.n8n.api.updateRows(this.table, { column: 'status', value: rowStatus }, data);
	}

	/** The rows without n8n's own columns, in their order. */
	async rows(): Promise<unknown[]> {
		return (await rowsOf(this.n8n.api, this.table)).map((row) =>
			Object.fromEntries(QUEUE_COLUMNS.map((column) => [column, row[column] ?? ''])),
		);
	}

	async statuses(): Promise<unknown[]> {
		return (await rowsOf(this.n8n.api, this.table)).map((row) => row.status);
	}
}

async function rowsOf(api: N8nApi, table: DataTable) {
	const rows = await api.rowsOf(table);
	return rows.sort((one, other) => Number(one.id) - Number(other.id));
}

export const rowOf = (
	prompt: string,
	rowStatus: string,
	written: Record<string, unknown> = {},
) => ({
	...{ prompt, status: rowStatus, taskId: '', result: '', error: '' },
	...written,
});

/** The workflow with a pause between two of its nodes. */
export function holding(
	workflow: NewWorkflow,
	[before, after]: readonly [string, string],
	seconds: number,
): NewWorkflow {
	const hold: NewNode = { ...pauseNode('Hold', seconds), id: 'hold', position: [0, 0] };
	return {
		...workflow,
		nodes: [...workflow.nodes, hold],
		connections: { ...workflow.connections, [before]: to('Hold'), Hold: to(after) },
	};
}

/** The content calendar in a data table: every row is paid for once, whatever happens. */
export function testContentQueue(n8n: Suite): void {
	describe(`the content calendar of ${QUEUE}`, () => {
		const savedVideo = (taskId: string) => path.join(n8n.bed.filesFolder, `${taskId}.mp4`);

		it('goes from open to done or failed, and creates each row once', async () => {
			const { sim } = n8n;
			for (const prompt of ['Made', 'Broken', 'Later']) sim.planTask({ ...STANDING_STILL, prompt });
			sim.script({ on: 'create', prompt: 'Refused', fault: status(402) });
			sim.script({ on: 'create', prompt: 'Made', fault: { kind: 'slow', ms: 2_000 } });
			const queue = await Queue.of(n8n, ['Made', 'Broken', 'Refused', 'Later']);

			const creating = await queue.start(CREATE);
			await sim.waitForRequest(({ route, prompt }) => route === 'create' && prompt === 'Made');
			expect(await queue.statuses()).toEqual(['sending', 'sending', 'sending', 'open']);
			await n8n.ended(creating);
			const made = n8n.taskOf('Made').id;
			const broken = n8n.taskOf('Broken').id;
			const refused = rowOf('Refused', 'failed', { error: expect.stringContaining('(402)') });
			expect(await queue.rows()).toEqual([
				rowOf('Made', 'submitted', { taskId: made }),
				rowOf('Broken', 'submitted', { taskId: broken }),
				refused,
				rowOf('Later', 'open'),
			]);

			await queue.run(CREATE);
			expect(sim.creates()).toHaveLength(4);
			const later = rowOf('Later', 'submitted', { taskId: n8n.taskOf('Later').id });
			await queue.run(COLLECT);
			expect(await queue.statuses()).toEqual(['submitted', 'submitted', 'failed', 'submitted']);

			sim.finish(made);
			sim.finish(broken, 'failed');
			await queue.run(COLLECT);
			expect(await queue.rows()).toEqual([
				rowOf('Made', 'done', { taskId: made, result: savedVideo(made) }),
				rowOf('Broken', 'failed', { taskId: broken, error: expect.any(String) }),
				refused,
				later,
			]);
			expect(await readFile(savedVideo(made))).toEqual(sampleMp4());
			await queue.run(CREATE);
			expect(sim.creates()).toHaveLength(4);
		});

		n8n.itOnNewest('writes why a task failed at the service', async () => {
			n8n.sim.planTask({ outcome: 'failed', immediate: true, error: BROKEN });
			const queue = await Queue.of(n8n, ['Broken']);
			await queue.run(CREATE);
			await queue.run(COLLECT);

			const taskId = n8n.onlyTask().id;
			const error = expect.stringContaining(BROKEN.message);
			expect(await queue.rows()).toEqual([rowOf('Broken', 'failed', { taskId, error })]);
		});

		n8n.itOnNewest('tries the saving again, which costs nothing', async () => {
			n8n.sim.planTask({ immediate: true });
			const queue = await Queue.of(n8n, ['A fox']);
			await queue.run(CREATE);
			await queue.run(COLLECT, { folder: '/not/allowed' });
			const taskId = n8n.onlyTask().id;
			const error = expect.stringMatching(/./);
			expect(await queue.rows()).toEqual([rowOf('A fox', 'submitted', { taskId, error })]);

			await queue.run(COLLECT);
			const result = savedVideo(taskId);
			expect(await queue.rows()).toEqual([rowOf('A fox', 'done', { taskId, result })]);
			expect(await readdir(n8n.bed.filesFolder)).toContain(`${taskId}.mp4`);
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		n8n.itOnNewest(
			'shows a row that was left in sending to a person, and never creates it',
			async () => {
				const queue = await Queue.of(n8n, ['Left'], 'sending');
				expect(jsonFrom(await queue.run(CREATE), 'Rows to Check')).toEqual([]);
				for (const trigger of [CREATE, COLLECT]) {
					const execution = await queue.run(trigger, { checkAfterMinutes: '0' });
					expect(jsonFrom(execution, 'Rows to Check')).toMatchObject([
						{ rowsToCheck: [{ prompt: 'Left' }] },
					]);
				}
				const error = expect.stringContaining('may have been paid');
				expect(await queue.rows()).toEqual([rowOf('Left', 'sending', { error })]);
				expect(n8n.sim.creates()).toEqual([]);
			},
		);

		n8n.itOnNewest('creates each row once when several runs have read the same rows', async () => {
			n8n.sim.planTask({ immediate: true, times: 9 });
			const prompts = ['One', 'Two', 'Three', 'Four', 'Five'];
			const queue = await Queue.of(n8n, prompts);
			const workflow = queue.workflow({ rowsEachTime: '5' });
			const held = holding(workflow, ['Get Open Rows', 'Mark as Sending'], HOLD_SECONDS);
			const run = async () => await n8n.ended(await queue.start(CREATE, held));
			const executions = await Promise.all([run(), run(), run()]);
			for (const execution of executions) {
				expect(execution.output('Get Open Rows')).toHaveLength(prompts.length);
			}

			const created = n8n.sim.creates().map(({ prompt }) => prompt);
			expect(created.sort()).toEqual([...prompts].sort());
			expect(executions.flatMap((execution) => jsonFrom(execution, CREATES))).toHaveLength(5);
			expect(await queue.statuses()).toEqual(prompts.map(() => 'submitted'));
		});

		n8n.itOnNewest('works by itself once it is published', async () => {
			const prompts = ['One', 'Two', 'Three', 'Four', 'Five'];
			const queue = await Queue.of(n8n, prompts);
			const saved = await queue.publish();
			await queue.until('status', 'done');
			await n8n.api.unpublish(saved);

			expect(n8n.sim.creates()).toHaveLength(prompts.length);
			const started = await n8n.api.executionsOf(saved);
			await Promise.all(started.map(async (id) => await n8n.ended(id)));
			for (const prompt of prompts) {
				expect(await readFile(savedVideo(n8n.taskOf(prompt).id))).toEqual(sampleMp4());
			}
		});
	});
}
