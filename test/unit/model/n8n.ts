import type { IDataObject } from 'n8n-workflow';
import { CONTEXT_KEY } from '../../../nodes/Videogen/work/book';
import { type DueRun, PlayedExecution, type InputItem, type ItemEnd, wishOf } from './executions';
import { PlayedRun } from './nodeRun';
import type { World } from './world';

type RunEnd = 'failed' | 'stopped' | ItemEnd[];

const ENDED_WITHOUT_VIDEO = ['failed', 'moderation', 'expired', 'cancelled'];

/** So many runs a loop has after its first. */
const LOOPS = 3;

/** The longest time between two runs of nodes. */
const PAUSE_MS = 4_000;

/** A node context that this version of the node cannot read. */
const UNREADABLE: IDataObject = { [CONTEXT_KEY]: { orders: { '0:0': { state: 'ordered' } } } };

/** n8n: executions, Retry On Fail, loops over the error output, agents that call tools. */
export class N8n {
	constructor(private readonly world: World) {}

	/** @param from Of a Retry. */
	start(mode: PlayedExecution['mode'], from?: PlayedExecution): PlayedExecution {
		const { world } = this;
		const { epoch, executions, scenario } = world;
		const id = `E${executions.length + 1}`;
		const lineage = from?.lineage ?? `L${executions.length + 1}`;
		const worker = Math.floor(world.random() * scenario.workers);
		const settings = { ...world.settings };
		const execution = new PlayedExecution(id, mode, lineage, settings, worker, epoch, from);
		execution.context = from ? this.contextFrom(from) : {};
		execution.queue = from ? structuredClone(from.queue) : this.inputOf(lineage);
		executions.push(execution);
		world.trace.push(`${id} ${mode} of ${from?.id}: ${JSON.stringify(settings)}`);
		world.start(this.flow(execution));
		return execution;
	}

	stop(execution: PlayedExecution): void {
		if (execution.status !== 'running') return;
		Object.assign(execution, { status: 'canceled', saved: copyOf(execution.context) });
		execution.stop.abort();
		this.world.trace.push(`${execution.id} stopped by a person`);
	}

	private contextFrom({ saved }: PlayedExecution): IDataObject {
		const { scenario, random } = this.world;
		if (scenario.unreadable && random() < scenario.unreadable) return copyOf(UNREADABLE);
		return copyOf(saved);
	}

	private inputOf(lineage: string): DueRun[] {
		const { flow, itemCount, hasEqualItems, hasEqualKeys } = this.world.scenario;
		const items = ['cat', 'dog', 'cow', 'fox'].slice(0, itemCount).map((animal, index) => ({
			id: `${lineage}.${index}`,
			json: { p: hasEqualItems ? 'cat' : animal, k: hasEqualKeys ? 'k' : `k${index}` },
			...{ wording: 0, prompts: [] },
		}));
		if (flow === 'plain' || flow === 'loop') return [{ run: 0, items }];
		return items.map((item, run) => ({ run, items: [item] }));
	}

	private async flow(execution: PlayedExecution): Promise<void> {
		if (this.world.isTool) return await this.agent(execution);
		const { queue } = execution;
		for (let due = queue[0]; due; due = queue[0]) {
			const end = await this.runNode(execution, due);
			if (end === 'stopped') return;
			if (end === 'failed') return this.finish(execution, 'error');
			queue.shift();
			if (this.loopBack(execution, due, end)) return this.finish(execution, 'error');
		}
		this.finish(execution, 'success');
	}

	/** @returns whether another node of the loop fails */
	private loopBack({ queue }: PlayedExecution, { run }: DueRun, ends: ItemEnd[]) {
		const { flow, comesBackReversed, laterFailure } = this.world.scenario;
		if (flow !== 'loop' || run >= LOOPS) return false;
		const items = ends.flatMap((end) => (end.error ? this.sentBack(end) : []));
		if (comesBackReversed) items.reverse();
		if (items.length === 0) return false;
		queue.push({ run: run + 1, items });
		return this.world.random() < laterFailure;
	}

	/** What the way back from the error output does to an item. */
	private sentBack({ item: { id, json, wording }, error }: ItemEnd): InputItem {
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
	private async agent(execution: PlayedExecution): Promise<void> {
		let runs = 0;
		const callOnce = async (due: DueRun) => await this.runNode(execution, { ...due, run: runs++ });
		// An agent calls a tool that failed once more.
		const call = async (due: DueRun) => {
			const end = await callOnce(due);
			return end === 'failed' ? await callOnce(due) : end;
		};
		const calls: Array<Promise<RunEnd>> = [];
		for (const due of execution.queue) {
			calls.push(call(due));
			if (!this.world.scenario.callsAtOnce) await calls.at(-1);
		}
		const ends = await Promise.all(calls);
		if (execution.status === 'canceled') return;
		this.finish(execution, ends.includes('failed') ? 'error' : 'success');
	}

	private async runNode(execution: PlayedExecution, due: DueRun): Promise<RunEnd> {
		const { world } = this;
		const { onError, tries } = execution.settings;
		const isStopped = () => execution.status === 'canceled';
		for (let tried = 1; ; tried += 1) {
			await world.time.pass(PAUSE_MS);
			if (isStopped()) return 'stopped';
			const run = new PlayedRun(world, execution, due);
			this.noteAsked(run, execution, due);
			const ends = await run.finish();
			if (isStopped()) return 'stopped';
			const all = ends.map(shown).join(', ');
			world.trace.push(`${execution.id} run ${due.run}, try ${tried}: ${all}`);
			for (const end of ends) this.noteEnd(execution, end);
			// What is thrown is the first error; n8n tries again, too, when the first item has one.
			const isThrown = onError === 'stop' && ends.some(({ error }) => error);
			const isTriedAgain = (isThrown || ends[0]?.error) && tried < tries;
			if (isTriedAgain) continue;
			if (isThrown) return 'failed';
			for (const { item, taskId, error } of ends) {
				const isGivenOut = !error && taskId !== undefined;
				if (isGivenOut) execution.outputs.push({ item, id: taskId, now: run.promptOf(item) });
			}
			return ends;
		}
	}

	private noteAsked(run: PlayedRun, { asked }: PlayedExecution, { items }: DueRun): void {
		for (const item of items) {
			const prompt = run.promptOf(item);
			const wish = wishOf(prompt, run.keyTextOf(item));
			asked.set(wish, (asked.get(wish) ?? new Set()).add(item.id));
			item.prompts = [...item.prompts, prompt];
		}
	}

	private noteEnd(execution: PlayedExecution, { error, isUnconfirmed, item }: ItemEnd): void {
		if (isUnconfirmed) execution.unconfirmed.add(item.id);
		if (!error || !ENDED_WITHOUT_VIDEO.includes(error.kind)) return;
		const { kind, taskId } = error;
		const afterRequests = this.world.service.requests.length;
		this.world.found.push({ execution, item, kind, taskId, afterRequests });
	}

	private finish(execution: PlayedExecution, status: 'success' | 'error'): void {
		Object.assign(execution, { status, saved: copyOf(execution.context) });
	}
}

/** As n8n saves it. */
function copyOf(context: IDataObject): IDataObject {
	const copy: IDataObject = JSON.parse(JSON.stringify(context));
	return copy;
}

const shown = ({ item, taskId, error }: ItemEnd): string =>
	[item.id, error?.kind ?? 'got', taskId].join(' ');
