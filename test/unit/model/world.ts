import { Memory } from '../../../nodes/Videogen/work/memory';
import type { Execution, FoundEnd, Settings } from './executions';
import { seededRandom } from '../../../tools/seededRandom';
import type { Random } from './random';
import type { Scenario } from './scenario';
import { Scheduler } from './scheduler';
import { Service } from './service';

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

	/** What the node knows in this process of n8n. */
	memory = new Memory(() => 0);

	/** How often the process has crashed. */
	epoch = 0;

	/** What `$now` gives. */
	now = 0;

	constructor(
		seed: number,
		public scenario: Scenario,
	) {
		this.random = seededRandom(seed * 7919 + 13);
		this.scheduler = new Scheduler(this.random);
		this.settings = { ...scenario.settings };
		this.service = new Service(seededRandom(seed * 104_729 + 7), scenario.service);
	}

	get isTool(): boolean {
		return this.scenario.flow === 'tool';
	}

	trace(line: string): void {
		this.lines.push(line);
	}

	/** The process dies, and another one takes its place. */
	crash(): void {
		this.trace('  CRASH of the process');
		this.epoch += 1;
		this.scheduler.clear();
		this.memory = new Memory(() => 0);
		for (const execution of this.executions) {
			if (execution.status !== 'running') continue;
			Object.assign(execution, { status: 'crashed', saved: {} });
			execution.position = [...execution.queue];
		}
	}
}
