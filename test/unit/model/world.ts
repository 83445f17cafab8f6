import { SharedState } from '../../../nodes/Videogen/work/sharedState';
import { seededRandom } from '../../../tools/seededRandom';
import type { FoundEnd, PlayedExecution } from './executions';
import type { Random } from './random';
import type { LifeScenario, PlayedSettings } from './scenario';
import { PlayedService } from './service';
import { Time } from './time';

/** What there is in a life, and what has happened in it. */
export class World {
	readonly executions: PlayedExecution[] = [];

	readonly found: FoundEnd[] = [];

	/** Task ids in n8n's log. */
	readonly logged = new Set<string>();

	readonly service: PlayedService;

	readonly random: Random;

	readonly time: Time;

	/** How the fields of the node stand now. */
	readonly settings: PlayedSettings;

	/** What has happened, line by line. */
	readonly trace: string[] = [];

	/** How often the processes have crashed. */
	epoch = 0;

	/** What `$now` gives. */
	now = 0;

	/** Why n8n or the node has broken off, which neither may. */
	private failure: unknown;

	/** What the node knows in each process of n8n. */
	private processes: SharedState[];

	constructor(
		seed: number,
		public scenario: LifeScenario,
	) {
		this.random = seededRandom(seed * 7919 + 13);
		this.time = new Time(this.random);
		this.settings = { ...scenario.settings };
		this.service = new PlayedService(seededRandom(seed * 104_729 + 7), scenario.service);
		this.processes = this.newProcesses();
	}

	get isTool(): boolean {
		return this.scenario.flow === 'tool';
	}

	processOf({ worker }: PlayedExecution): SharedState {
		const process = this.processes[worker];
		if (!process) throw new Error(`No worker ${worker}`);
		return process;
	}

	/** Lets something go on beside everything else. */
	start(work: Promise<void>): void {
		work.catch((thrown: unknown) => (this.failure ??= thrown));
	}

	/** @returns whether there was something to do */
	async step(): Promise<boolean> {
		const isStep = await this.time.step();
		if (this.failure !== undefined) throw this.failure;
		return isStep;
	}

	/** The processes die, and others take their place. */
	crash(): void {
		this.trace.push('  CRASH');
		this.epoch += 1;
		this.time.clear();
		this.processes = this.newProcesses();
		for (const execution of this.executions) {
			if (execution.status === 'running') execution.status = 'crashed';
		}
	}

	private newProcesses(): SharedState[] {
		return Array.from({ length: this.scenario.workers }, () => new SharedState(this.time));
	}
}
