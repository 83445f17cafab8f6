import {
	copiesOf,
	copyOf,
	type DueRun,
	type Execution,
	type InputItem,
	type ItemEnd,
	wishOf,
} from './executions';
import type { NodeRun } from './node';
import { type Job, resultOf, type Routine } from './scheduler';
import type { World } from './world';

type EndOfItem = ItemEnd & { item: InputItem };
type RunEnd = 'failed' | 'stopped' | EndOfItem[];

const ENDED_WITHOUT_VIDEO = ['failed', 'moderation', 'expired', 'cancelled'];

/** How often an agent calls a tool that failed. */
const CALLS_OF_AN_AGENT = 2;

/** So many runs a loop has after its first. */
const LOOPS = 3;

/** n8n: executions, Retry On Fail, loops over the error output, agents that call tools. */
export class N8n {
	constructor(private readonly world: World) {}

	/** @param from Of a Retry. */
	start(mode: Execution['mode'], from?: Execution): Execution {
		const { world } = this;
		const id = `E${world.executions.length + 1}`;
		const execution: Execution = {
			...{ id, mode, from, isStopped: false, status: 'running' },
			lineage: from?.lineage ?? `L${world.executions.length + 1}`,
			isEditor: from ? from.isEditor : mode === 'manual',
			settings: { ...world.settings },
			context: from ? this.contextFrom(from) : {},
			...{ saved: {}, queue: [], position: [], asked: new Map(), outputs: [], errors: [] },
			epoch: world.epoch,
		};
		execution.queue = from
			? from.position.map((due) => ({ ...due, items: due.items.map((item) => ({ ...item })) }))
			: this.inputOf(execution);
		world.executions.push(execution);
		world.trace(`${id} ${mode} of ${from?.id}: ${JSON.stringify(execution.settings)}`);
		world.scheduler.spawn(this.flow(execution));
		return execution;
	}

	stop(execution: Execution): void {
		if (execution.status !== 'running') return;
		execution.isStopped = true;
		execution.status = 'canceled';
		execution.saved = copyOf(execution.context);
		this.world.trace(`${execution.id} stopped by a person`);
	}

	private contextFrom(from: Execution) {
		const { world } = this;
		const { unreadable } = world.scenario;
		if (unreadable && world.random() < unreadable) return world.node.unreadableContext();
		return from.status === 'crashed' ? {} : copyOf(from.saved);
	}

	private inputOf({ lineage }: Execution): DueRun[] {
		const { flow, itemCount, hasEqualItems, hasEqualKeys } = this.world.scenario;
		const items = ['cat', 'dog', 'cow', 'fox'].slice(0, itemCount).map((animal, index) => ({
			id: `${lineage}.${index}`,
			json: { p: hasEqualItems ? 'cat' : animal, k: hasEqualKeys ? 'k' : `k${index}` },
			...{ wording: 0, prompts: [] },
		}));
		const isTool = flow === 'tool';
		if (flow !== 'batch' && !isTool) return [{ run: 0, items, isTool }];
		return items.map((item, run) => ({ run, items: [item], isTool }));
	}

	private *flow(execution: Execution): Routine<void> {
		if (this.world.scenario.flow === 'tool') return yield* this.agent(execution);
		const { queue } = execution;
		for (let due = queue[0]; due; due = queue[0]) {
			execution.position = copiesOf(queue);
			const end = yield* this.runNode(execution, due);
			if (end === 'stopped') return;
			if (end === 'failed') return this.finish(execution, 'error', queue);
			queue.shift();
			if (this.loopBack(execution, due, end)) return this.finish(execution, 'error', queue);
		}
		this.finish(execution, 'success', []);
	}

	/** @returns whether another node of the loop fails */
	private loopBack({ queue }: Execution, { run }: DueRun, ends: EndOfItem[]) {
		const { flow, comesBackReversed, laterFailure } = this.world.scenario;
		if (flow !== 'loop' || run >= LOOPS) return false;
		const items = ends.flatMap((end) => (end.error ? this.sentBack(end) : []));
		if (comesBackReversed) items.reverse();
		if (items.length === 0) return false;
		queue.push({ run: run + 1, items, isTool: false });
		return this.world.random() < laterFailure;
	}

	/** What the way back from the error output does to an item. */
	private sentBack({ item: { id, json, wording }, error }: EndOfItem): InputItem {
		const { wayBack } = this.world.scenario;
		const item = { id, wording, json: { ...json, error }, prompts: [] };
		if (wayBack === 'counter') item.json.tries = (item.json.tries ?? 0) + 1;
		const isReworded =
			wayBack === 'rewordAll' || (wayBack === 'reword' && error?.kind === 'moderation');
		if (!isReworded) return item;
		if (wayBack === 'reword') item.json.p = item.json.p.replace('bad', 'good');
		item.json.p += '*';
		item.wording += 1;
		return item;
	}

	/** Calls of a tool, one after another or at once. */
	private *agent(execution: Execution): Routine<void> {
		const { world } = this;
		const { queue } = execution;
		let runs = 0;
		const nextRun = () => runs++;
		const calls: Array<Job & { result?: RunEnd }> = [];
		for (const due of queue) {
			const call = world.scheduler.spawn(this.call(execution, due, nextRun));
			calls.push(call);
			if (!world.scenario.callsAtOnce) yield () => call.isDone;
		}
		yield () => calls.every(({ isDone }) => isDone);
		if (execution.isStopped) return;
		const hasFailed = calls.some((call) => resultOf(call) === 'failed');
		if (hasFailed) this.finish(execution, 'error', queue);
		else this.finish(execution, 'success', []);
	}

	private *call(execution: Execution, due: DueRun, nextRun: () => number): Routine<RunEnd> {
		for (let calls = 1; ; calls += 1) {
			const run = this.world.scheduler.spawn(this.runNode(execution, { ...due, run: nextRun() }));
			yield () => run.isDone;
			const end = resultOf(run);
			if (end !== 'failed' || calls === CALLS_OF_AN_AGENT) return end;
		}
	}

	private *runNode(execution: Execution, due: DueRun): Routine<RunEnd> {
		const { world } = this;
		const { settings, id } = execution;
		const continuesOnError = settings.onError !== 'stop';
		for (let tries = 1; ; tries += 1) {
			const nodeRun = this.nodeRun(execution, due);
			this.noteAsked(execution, due, nodeRun);
			const job = world.scheduler.spawn(world.process(nodeRun));
			yield () => job.isDone || execution.isStopped;
			if (execution.isStopped) return 'stopped';
			const ends = resultOf(job).flatMap((end, index) => {
				const item = due.items[index];
				return item ? [{ ...end, item }] : [];
			});
			world.trace(`${id} run ${due.run}, try ${tries}: ${JSON.stringify(ends)}`);
			for (const end of ends) this.noteEnd(execution, end);
			const isTriedAgain = tries < settings.tries;
			if (!continuesOnError && ends.some(({ error }) => error)) {
				// Thrown: the first error, with the tasks of all items.
				report(execution, ends, (end) => end.orderTaskId ?? end.error?.taskId);
				if (!isTriedAgain) return 'failed';
			} else if (continuesOnError && ends[0]?.error && isTriedAgain) {
				report(execution, ends, (end) => end.error?.taskId ?? end.taskId);
			} else {
				ends.forEach((end, index) => giveOut(execution, end, nodeRun.promptOf(index)));
				return ends;
			}
		}
	}

	private nodeRun(execution: Execution, due: DueRun): NodeRun {
		const { world } = this;
		const { id, mode, settings, context } = execution;
		const now = world.nextNow();
		const jsonOf = (index: number) => due.items[index]?.json ?? { p: '', k: '' };
		const promptOf = (index: number) =>
			settings.promptField.replace('{{now}}', `${now}`).replace('{{p}}', jsonOf(index).p).trim();
		const keyTextOf = (index: number) =>
			settings.keyField.replace('{{k}}', jsonOf(index).k).replace('{{exec}}', id);
		return {
			...{ executionId: id, run: due.run, isTool: due.isTool, context, settings },
			...{ promptOf, keyTextOf },
			...{ items: due.items, isManual: mode === 'manual', isStopped: () => execution.isStopped },
			continuesOnError: settings.onError !== 'stop',
			create: (index, sent) => world.create(execution, due, index, sent),
			read: (taskId) => world.service.read(taskId),
			log: (taskId) => world.logged.add(taskId),
			spawn: (routine) => world.scheduler.spawn(routine),
		};
	}

	private noteAsked({ asked }: Execution, { items }: DueRun, run: NodeRun): void {
		items.forEach((item, index) => {
			const prompt = run.promptOf(index);
			const wish = wishOf(prompt, run.keyTextOf(index));
			asked.set(wish, (asked.get(wish) ?? new Set()).add(item.id));
			item.prompts = [...item.prompts, prompt];
		});
	}

	private noteEnd(execution: Execution, { error, item }: EndOfItem): void {
		if (!error || !ENDED_WITHOUT_VIDEO.includes(error.kind)) return;
		const { kind, taskId } = error;
		const { id: itemId, wording } = item;
		const afterRequests = this.world.service.requests.length;
		this.world.found.push({ execution, itemId, wording, kind, taskId, afterRequests });
	}

	private finish(execution: Execution, status: 'success' | 'error', position: DueRun[]): void {
		if (execution.isStopped) return;
		Object.assign(execution, { status, saved: copyOf(execution.context) });
		execution.position = copiesOf(position);
	}
}

const isUnsure = ({ error, isUnconfirmed }: EndOfItem): boolean =>
	isUnconfirmed || error?.kind === 'noAnswer';

function report(
	{ errors }: Execution,
	ends: EndOfItem[],
	idOf: (end: EndOfItem) => string | undefined,
) {
	const ids = ends.flatMap((end) => idOf(end) ?? []);
	errors.push({ ids, unsure: ends.filter(isUnsure).map(({ item }) => item.id) });
}

function giveOut(execution: Execution, end: EndOfItem, now: string): void {
	const { item, taskId, error } = end;
	if (error) return report(execution, [end], () => error.taskId);
	const { wording, prompts } = item;
	if (taskId !== undefined) execution.outputs.push({ item, wording, id: taskId, prompts, now });
}
