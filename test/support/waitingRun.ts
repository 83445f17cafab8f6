import type { Outcome, TaskEvent, TaskJob, WaitPlan } from '../../nodes/Videogen/tasks/job';
import { runTasks } from '../../nodes/Videogen/tasks/runTasks';
import { Timer } from '../../nodes/Videogen/common/timer';
import { VirtualClock } from './clocks';
import type { FakeServiceOptions } from './fakeService';
import { FakeService } from './fakeService';

export const MINUTE = 60_000;

/** The node's own defaults. */
export const WAIT: WaitPlan = { intervalMs: 5_000, timeoutMs: 20 * MINUTE };

/** A job as tests write it: what it asks for, without the calls that get it. */
export interface WantedJob {
	create?: string;
	existing?: TaskJob['existing'];
	mayExist?: boolean;
	wait?: WaitPlan;
}

export const createJob = (create: string, wait: WaitPlan | undefined = WAIT): WantedJob => ({
	create,
	wait,
});

/** A create whose first record is all that is asked for. */
export const createOnlyJob = (create: string): WantedJob => ({ create });

export const readJob = (taskId: string, wait?: WaitPlan): WantedJob => ({
	existing: { taskId, isOwn: false },
	wait,
});

export const resumeJob = (
	taskId: string,
	create: string,
	wait: WaitPlan | undefined = WAIT,
): WantedJob => ({ existing: { taskId, isOwn: true }, create, wait });

/** `count` creates with the requests `item 0`, `item 1` and so on. */
export const createJobs = (count: number, wait: WaitPlan = WAIT): WantedJob[] =>
	Array.from({ length: count }, (_, index) => createJob(`item ${index}`, wait));

export interface SceneSettings {
	maxConcurrentTasks?: number;
	signal?: AbortSignal;
	/** Whether an outcome ends the run for the other jobs too. */
	endsRun?: (jobIndex: number, outcome: Outcome) => boolean;
	/** What belongs to a job beyond its outcome. */
	complete?: (jobIndex: number, outcome: Outcome) => Promise<void>;
}

/** A service and a clock of its own for one test. */
export class Scene {
	readonly clock: VirtualClock;

	readonly service: FakeService;

	/** The ids that the engine told of, by job. */
	readonly told: string[][] = [];

	/** What happened to each job, in order. */
	readonly events: TaskEvent[][] = [];

	constructor(options: FakeServiceOptions = {}, random?: () => number) {
		this.clock = new VirtualClock(random);
		this.service = new FakeService(this.clock, options);
	}

	async run(
		jobs: WantedJob[],
		{ maxConcurrentTasks = 1_000, signal, endsRun, complete }: SceneSettings = {},
	): Promise<Outcome[]> {
		const ending = new AbortController();
		if (signal?.aborted) ending.abort();
		signal?.addEventListener('abort', () => ending.abort());
		const take = (index: number, event: TaskEvent) => {
			(this.events[index] ??= []).push(event);
			if ('task' in event) {
				const told = (this.told[index] ??= []);
				if (!told.includes(event.task.id)) told.push(event.task.id);
			}
		};
		return await runTasks(
			jobs.map((job, index) => ({
				...this.jobOf(job),
				onEvent: (event) => take(index, event),
				complete: async (outcome) => {
					await complete?.(index, outcome);
					if (!ending.signal.aborted && endsRun?.(index, outcome)) ending.abort();
				},
			})),
			maxConcurrentTasks,
			new Timer(this.clock, ending.signal),
		);
	}

	private jobOf({ create, ...job }: WantedJob): TaskJob {
		const { service } = this;
		return {
			...job,
			...(create !== undefined && { submit: async () => await service.create(create) }),
			read: async (taskId, signal, atMostMs) => await service.read(taskId, signal, atMostMs),
		};
	}

	async runOne(job: WantedJob): Promise<Outcome> {
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
