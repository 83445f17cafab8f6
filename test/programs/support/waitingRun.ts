import { Timer } from '../../../nodes/Videogen/ground/clock';
import type { ServiceError, Service } from '../../../nodes/Videogen/service/answer';
import type { Task } from '../../../nodes/Videogen/service/task';
import { TaskRun, type Until } from '../../../nodes/Videogen/work/advance';
import { CreateThrottles } from '../../../nodes/Videogen/work/createThrottles';
import type { Creating } from '../../../nodes/Videogen/work/creates';
import { type Entry, taskIdOf } from '../../../nodes/Videogen/work/entry';
import type { RunReport } from '../../../nodes/Videogen/work/runReport';
import type { Throttle } from '../../../nodes/Videogen/work/throttle';
import { VirtualClock } from './clocks';
import { taskOf } from './entries';
import { type FakeServiceOptions, FakeService } from './fakeService';

export const MINUTE = 60_000;

/** How long an entry waits; what it becomes then is not the business of these tests. */
export interface Wait {
	intervalMs: number;
	timeoutMs: number;
}

/** The node's own defaults. */
export const WAIT: Wait = { intervalMs: 5_000, timeoutMs: 20 * MINUTE };

/** What an entry came to, with what is known of its task. */
export interface Outcome {
	kind: string;
	taskId?: string;
	task?: Task;
	error?: ServiceError;
	/** After a create without a task: whether one may exist all the same. */
	mayExist?: boolean;
}

const jobOf = (more: Partial<Entry>, wait?: Wait): Entry => ({
	item: 0,
	wishes: [],
	...more,
	...(wait && { wait: { ...wait, onTimeout: 'error', onFailure: 'error' } }),
});

const requestOf = (prompt: string) => ({ model: 'model', prompt });

export const createJob = (create: string, wait = WAIT): Entry =>
	jobOf({ request: requestOf(create) }, wait);

/** A create whose first record is all that is asked for. */
export const createOnlyJob = (create: string): Entry => jobOf({ request: requestOf(create) });

export const readJob = (taskId: string, wait?: Wait): Entry => jobOf({ taskId }, wait);

/** Of a task that the node itself made in an earlier try. */
export const resumeJob = (taskId: string, create: string, wait = WAIT): Entry =>
	jobOf({ request: requestOf(create), task: taskOf(taskId, 'pending') }, wait);

/** `count` creates with the requests `item 0`, `item 1` and so on. */
export const createJobs = (count: number, wait?: Wait): Entry[] =>
	Array.from({ length: count }, (_, index) => createJob(`item ${index}`, wait));

/** The job as that of an item. */
export const entryOf = (job: Entry, item: number): Entry => ({ ...job, item });

/** What tests compare: the outcome of an entry beside its task. */
export function outcomeOf(entry: Entry): Outcome {
	const { outcome, task, unanswered } = entry;
	const error = outcome && 'error' in outcome ? { error: outcome.error } : {};
	if (outcome === undefined) return { kind: 'open', task };
	switch (outcome.kind) {
		case 'notStarted':
			return { kind: outcome.kind };
		case 'notCreated':
			return { kind: outcome.kind, ...error, mayExist: unanswered !== undefined };
		case 'done':
		case 'failed':
			return { kind: outcome.kind, task };
		default:
			return { kind: outcome.kind, taskId: taskIdOf(entry), task, ...error };
	}
}

export interface SceneSettings {
	maxConcurrentTasks?: number;
	signal?: AbortSignal;
	/** Which key it uses; runs with the same one share what is known of the service. */
	apiKey?: string;
	/** For how long a create is tried at most. */
	mostMs?: number;
	/** How far the entries are brought; to the end unless given. */
	until?: Until;
	/** What is sent for an entry, unless it is its request. */
	requestFor?: Creating['requestFor'];
	/** What is done with the run, unless it brings the entries to where they are to be. */
	drive?: (run: TaskRun, entries: Entry[]) => Promise<void>;
	/** Whether nothing may be created. */
	createsNothing?: boolean;
	/** Whether an outcome ends the run for the other entries too. */
	endsRun?: (index: number, outcome: Outcome) => boolean;
	/** What is told of a task that was created; n8n's log may throw. */
	created?: (index: number) => void;
	/** What belongs to an entry beyond its outcome. */
	complete?: (index: number, outcome: Outcome) => Promise<void>;
}

/** A service and a clock of its own for one test. */
export class Scene {
	readonly clock: VirtualClock;

	readonly service: FakeService;

	readonly throttles: CreateThrottles;

	/** The ids of the tasks that were told of as created, by entry. */
	readonly told: string[][] = [];

	/** When it was told that creates wait, and that they do no longer. */
	readonly heldUp: Array<[number, string | undefined]> = [];

	/** Which creates were said to leave it open whether they made a task, by item. */
	readonly unclear: number[] = [];

	/** The order key of each create. */
	readonly orderKeys: string[] = [];

	/** How many tasks may have been created, by the count that the limit goes by. */
	counted = 0;

	/** The entries of the last run. */
	entries: Entry[] = [];

	constructor(options: FakeServiceOptions = {}, random?: () => number) {
		this.clock = new VirtualClock(random);
		this.service = new FakeService(this.clock, options);
		this.throttles = new CreateThrottles(this.clock);
	}

	async run(jobs: Entry[], settings: SceneSettings = {}): Promise<Outcome[]> {
		this.entries = jobs.map(entryOf);
		await this.advance(this.entries, settings);
		return this.entries.map(outcomeOf);
	}

	/** Brings entries forward. */
	async advance(entries: Entry[], settings: SceneSettings = {}): Promise<void> {
		const { maxConcurrentTasks = 1_000, signal, until = 'final', createsNothing } = settings;
		const ending = new AbortController();
		const end = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
		const service: Service = {
			create: async ({ prompt }, orderKey) => {
				this.orderKeys.push(orderKey);
				return await this.service.create(prompt);
			},
			read: async (taskId, readEnd = end, atMostMs) =>
				await this.service.read(taskId, readEnd, atMostMs),
		};
		const report: RunReport = {
			onCount: (more) => (this.counted += more),
			onCreated: ({ item }, { id }) => {
				(this.told[item] ??= []).push(id);
				settings.created?.(item);
			},
			onUnanswered: ({ item }) => this.unclear.push(item),
			onHeldUp: (error) => this.heldUp.push([this.clock.now(), error?.kind]),
			onOutcome: (entry) => {
				if (settings.endsRun?.(entry.item, outcomeOf(entry))) ending.abort();
			},
			deliver: async (entry) => await settings.complete?.(entry.item, outcomeOf(entry)),
		};
		const limits = { timer: new Timer(this.clock, end), maxConcurrentTasks };
		const bring = async (throttle: Throttle) => {
			const { mostMs, drive } = settings;
			const { requestFor = async ({ request = requestOf('') }) => request } = settings;
			const creating = createsNothing ? undefined : { throttle, requestFor, mostMs };
			const run = new TaskRun(service, report, limits, creating);
			await (drive ? drive(run, entries) : run.advance(entries, until));
		};
		const connection = { baseUrl: 'https://service.test', apiKey: settings.apiKey ?? 'a key' };
		await this.throttles.use(connection, bring).finally(() => ending.abort());
	}

	async runOne(job: Entry, settings?: SceneSettings): Promise<Outcome> {
		const [outcome] = await this.run([job], settings);
		if (outcome === undefined) throw new Error('The run gave no outcome');
		return outcome;
	}
}

export const kindsOf = (outcomes: Outcome[]): string[] => outcomes.map(({ kind }) => kind);
