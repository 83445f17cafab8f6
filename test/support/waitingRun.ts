import type { Job, Outcome, WaitPlan } from '../../nodes/Videogen/tasks/job';
import type { RunSettings } from '../../nodes/Videogen/tasks/runTasks';
import { runTasks } from '../../nodes/Videogen/tasks/runTasks';
import { VirtualClock } from './clocks';
import type { FakeServiceOptions } from './fakeService';
import { FakeService } from './fakeService';

export const MINUTE = 60_000;

/** The node's own defaults. */
export const WAIT: WaitPlan = { intervalMs: 5_000, timeoutMs: 20 * MINUTE };

export const createJob = (request: string, wait: WaitPlan | undefined = WAIT): Job<string> => ({
	start: { kind: 'create', request },
	wait,
});

/** A create whose first record is all that is asked for. */
export const createOnlyJob = (request: string): Job<string> => ({
	start: { kind: 'create', request },
});

export const readJob = (taskId: string, wait?: WaitPlan): Job<string> => ({
	start: { kind: 'read', taskId },
	wait,
});

export const resumeJob = (
	taskId: string,
	request: string,
	wait: WaitPlan | undefined = WAIT,
): Job<string> => ({ start: { kind: 'resume', taskId, request }, wait });

/** `count` creates with the requests `item 0`, `item 1` and so on. */
export const createJobs = (count: number, wait: WaitPlan = WAIT): Array<Job<string>> =>
	Array.from({ length: count }, (_, index) => createJob(`item ${index}`, wait));

/** A service and a clock of its own for one test. */
export class Scene {
	readonly clock: VirtualClock;

	readonly service: FakeService;

	/** The ids that the engine told of, by job. */
	readonly told: string[][] = [];

	constructor(options: FakeServiceOptions = {}, random?: () => number) {
		this.clock = new VirtualClock(random);
		this.service = new FakeService(this.clock, options);
	}

	async run(
		jobs: Array<Job<string>>,
		settings: Partial<RunSettings<string>> = {},
	): Promise<Outcome[]> {
		return await runTasks(jobs, {
			service: this.service,
			clock: this.clock,
			maxUnfinished: 1_000,
			onTask: (index, task) => (this.told[index] ??= []).push(task.id),
			...settings,
		});
	}

	async runOne(job: Job<string>): Promise<Outcome> {
		const [outcome] = await this.run([job]);
		if (outcome === undefined) throw new Error('The run gave no outcome');
		return outcome;
	}
}

export const kindsOf = (outcomes: Outcome[]): string[] => outcomes.map(({ kind }) => kind);

/** How many of these moments lie within the fullest stretch of the given length. */
export function mostWithin(lengthMs: number, momentsMs: number[]): number {
	const sorted = [...momentsMs].sort((a, b) => a - b);
	let first = 0;
	let most = 0;
	sorted.forEach((atMs, index) => {
		while (atMs - (sorted[first] ?? atMs) >= lengthMs) first += 1;
		most = Math.max(most, index - first + 1);
	});
	return most;
}
