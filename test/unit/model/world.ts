import type { DueRun, Execution, FoundEnd, Settings } from './executions';
import type { NodeProcess, PlayedNode } from './node';
import { type Random, randomFrom } from './random';
import type { Scenario } from './scenario';
import { type Routine, Scheduler } from './scheduler';
import { type CreateAnswer, Service } from './service';

/** What there is in a life, and what has happened in it. */
export class World {
	readonly executions: Execution[] = [];

	readonly found: FoundEnd[] = [];

	/** Task ids in n8n's log. */
	readonly logged = new Set<string>();

	readonly service: Service;

	readonly scheduler: Scheduler;

	readonly random: Random;

	/** How the fields of the node stand now. */
	readonly settings: Settings;

	readonly lines: string[] = [];

	process: NodeProcess;

	/** How often the process has crashed. */
	epoch = 0;

	/** What `$now` gives. */
	now = 0;

	constructor(
		seed: number,
		public scenario: Scenario,
		readonly node: PlayedNode,
	) {
		this.random = randomFrom(seed * 7919 + 13);
		this.scheduler = new Scheduler(this.random);
		this.settings = { ...scenario.settings };
		this.process = node.startProcess();
		const serviceRandom = randomFrom(seed * 104_729 + 7);
		this.service = new Service(serviceRandom, scenario.service);
	}

	readonly trace = (line: string): void => {
		this.lines.push(line);
	};

	nextNow(): number {
		this.now += 1;
		return this.now;
	}

	/** A create on its way to the service, and its answer on the way back. */
	*create(
		execution: Execution,
		{ items, run, isTool }: DueRun,
		index: number,
		sent: { prompt: string; key: string; keyText: string },
	): Routine<CreateAnswer> {
		const item = items[index];
		if (!item) throw new Error(`No item ${index}`);
		const { version, keyField } = execution.settings;
		const { prompt, key, keyText } = sent;
		const { id: itemId, wording } = item;
		yield;
		const origin = { execution, itemId, wording, run, version, keyField, keyText, isTool };
		const { answer, task } = this.service.create({ prompt, key, origin });
		const what = { itemId, run, index, prompt, key, answer, fate: task?.fate };
		this.trace(`${execution.id} create: ${JSON.stringify(what)}`);
		yield;
		return answer;
	}

	/** The process dies, and another one takes its place. */
	crash(): void {
		this.trace('  CRASH of the process');
		this.epoch += 1;
		this.scheduler.clear();
		this.process = this.node.startProcess();
		for (const execution of this.executions) {
			if (execution.status !== 'running') continue;
			Object.assign(execution, { status: 'crashed', saved: {} });
			execution.position = execution.queue.map((due) => ({ ...due }));
		}
	}
}
