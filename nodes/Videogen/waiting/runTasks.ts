import type { Answer, Trouble } from '../client/answer';
import type { Task } from '../client/task';
import { createVerdict, readVerdict } from '../client/verdict';
import { Alarm } from './alarm';
import { backoffMs } from './backoff';
import type { Clock } from './clock';
import { CreatePace } from './createPace';
import type { Job, Outcome, TaskService, WaitPlan } from './job';
import { ReadPace } from './readPace';
import { Semaphore } from './semaphore';

export interface RunSettings<Request> {
	service: TaskService<Request>;
	clock: Clock;
	/** How many unfinished tasks of this run the service may have at once. */
	maxUnfinished: number;
	/** Ends the run: nothing is sent any more and every unfinished job is left as it is. */
	signal?: AbortSignal;
	/** Told of every task as soon as its id is known, before anything else can go wrong. */
	onTask?: (jobIndex: number, task: Task) => void;
	/** Whether this outcome ends the run for the other jobs too. */
	endsRun?: (jobIndex: number, outcome: Outcome) => boolean;
}

/** Reads in a row that came to nothing before a task is given up; less when nobody waits. */
export const MAX_MISSES_WAITING = 10;
export const MAX_MISSES_ONCE = 3;

const MISS_BACKOFF = { firstMs: 1_000, maxMs: 30_000 };

/** A task may be unknown to the service's readers for so long after it was last heard of. */
export const NOT_FOUND_GRACE_MS = 30_000;

/** The same for a task that this run has neither made nor seen yet: a mistyped id ends soon. */
export const UNSEEN_NOT_FOUND_GRACE_MS = 10_000;

/** How long a read for which nobody waits is tried again against 429. */
export const READ_BUDGET_MS = 2 * 60_000;

/** How long creates are tried again against 429 when no wait says how much time there is. */
export const CREATE_BUDGET_MS = 20 * 60_000;

/**
 * Runs many tasks together: creates up to `maxUnfinished` at once, reads all of them at their own
 * intervals, and starts the next as one finishes. Gives one outcome per job, in the jobs' order.
 *
 * It knows neither HTTP nor n8n: replies come typed from the service, time from the clock.
 */
export async function runTasks<Request>(
	jobs: Array<Job<Request>>,
	settings: RunSettings<Request>,
): Promise<Outcome[]> {
	return await new TaskRun(jobs, settings).run();
}

class TaskRun<Request> {
	private readonly alarm: Alarm;

	private readonly creates: CreatePace;

	private readonly reads: ReadPace;

	private readonly unfinished: Semaphore;

	/** Reads under way; a stopped run does not wait for their answers. */
	private readonly interrupts = new Set<() => void>();

	private isStopped = false;

	constructor(
		private readonly jobs: Array<Job<Request>>,
		private readonly settings: RunSettings<Request>,
	) {
		const { clock, maxUnfinished } = settings;
		this.alarm = new Alarm(clock);
		this.creates = new CreatePace(clock, this.alarm);
		this.reads = new ReadPace(clock);
		this.unfinished = new Semaphore(maxUnfinished);
	}

	async run(): Promise<Outcome[]> {
		const { signal } = this.settings;
		const stop = () => this.stop();
		if (signal?.aborted) stop();
		signal?.addEventListener('abort', stop, { once: true });
		try {
			this.countExistingTasks();
			return await Promise.all(this.jobs.map(async (job, index) => await this.runJob(job, index)));
		} finally {
			signal?.removeEventListener('abort', stop);
			stop();
		}
	}

	private stop(): void {
		this.isStopped = true;
		this.creates.stop();
		this.unfinished.stop();
		this.reads.stop();
		this.alarm.stop();
		for (const interrupt of this.interrupts) interrupt();
	}

	/** Tasks of an earlier try are unfinished at the service already, so they count first. */
	private countExistingTasks(): void {
		for (const { start } of this.jobs) if (start.kind === 'resume') this.unfinished.enterAnyway();
	}

	private async runJob(job: Job<Request>, index: number): Promise<Outcome> {
		const outcome = await this.startJob(job, index);
		if (!this.isStopped && this.settings.endsRun?.(index, outcome)) this.stop();
		return outcome;
	}

	private async startJob(job: Job<Request>, index: number): Promise<Outcome> {
		const { start } = job;
		if (start.kind === 'read') {
			const until = job.wait ? 'final' : 'record';
			return await this.follow({ taskId: start.taskId, wait: job.wait, index, until });
		}
		if (start.kind === 'create' && !(await this.unfinished.enter())) return { kind: 'notStarted' };
		try {
			return start.kind === 'resume'
				? await this.resume(start, job, index)
				: await this.createAndFollow(start.request, job, index);
		} finally {
			this.unfinished.leave();
		}
	}

	/** The earlier task's own outcome, unless it had failed by the time it is first read. */
	private async resume(
		{ taskId, request }: { taskId: string; request: Request },
		job: Job<Request>,
		index: number,
	): Promise<Outcome> {
		const first = await this.follow({ taskId, wait: job.wait, index, until: 'record' });
		if (first.kind !== 'done') return first;
		this.settings.onTask?.(index, first.task);
		if (first.task.state === 'failed') return await this.createAndFollow(request, job, index);
		return job.wait
			? await this.follow({ taskId, wait: job.wait, index, until: 'final', known: first.task })
			: first;
	}

	private async createAndFollow(
		request: Request,
		job: Job<Request>,
		index: number,
	): Promise<Outcome> {
		const created = await this.create(request, job.wait?.timeoutMs ?? CREATE_BUDGET_MS);
		if ('kind' in created) return created;
		this.settings.onTask?.(index, created);
		const { wait } = job;
		return wait
			? await this.follow({ taskId: created.id, wait, index, until: 'final', known: created })
			: { kind: 'done', task: created };
	}

	/** Sends the create until it is taken or refused; see `createVerdict` for what may be repeated. */
	private async create(request: Request, budgetMs: number): Promise<Task | Outcome> {
		const { service, clock } = this.settings;
		let firstTryMs: number | undefined;
		for (;;) {
			if (!(await this.creates.turn(firstTryMs !== undefined))) return this.notSent();
			firstTryMs ??= clock.now();
			const answer = await service.create(request);
			if (answer.kind === 'task') {
				this.creates.accepted();
				return answer.task;
			}
			const { trouble } = answer;
			this.tellPace(trouble);
			const verdict = createVerdict(trouble);
			const since = Math.max(firstTryMs, this.creates.lastAcceptedMs);
			if (verdict !== 'again' || clock.now() - since >= budgetMs) {
				return { kind: 'notCreated', trouble, mayExist: verdict === 'unknown' };
			}
		}
	}

	private tellPace(trouble: Trouble): void {
		if (trouble.kind === 'status' && trouble.status === 429) this.creates.rateLimited(trouble);
		else if (createVerdict(trouble) === 'again') this.creates.unreachable(trouble);
		else this.creates.ended(trouble);
	}

	private notSent(): Outcome {
		const trouble = this.creates.closedBy;
		return trouble && !this.isStopped
			? { kind: 'notCreated', trouble, mayExist: false }
			: { kind: 'notStarted' };
	}

	/** Reads a task until there is what was asked for, or no hope for it. */
	private async follow(aim: Aim): Promise<Outcome> {
		const follower = new Follower(aim, this.settings.clock);
		for (;;) {
			const outcome = follower.outcome();
			if (outcome) return outcome;
			const dueMs = follower.nextReadMs(this.reads);
			if (dueMs > this.settings.clock.now() && !(await this.alarm.until(dueMs))) {
				return follower.left();
			}
			const answer = await this.read(aim.taskId);
			if (answer === 'stopped') return follower.left();
			follower.take(answer, this.reads);
		}
	}

	private async read(taskId: string): Promise<Answer | 'stopped'> {
		if (this.isStopped || !(await this.reads.enter())) return 'stopped';
		try {
			return await this.unlessStopped(this.settings.service.read(taskId));
		} finally {
			this.reads.leave();
		}
	}

	/** Not a race against one long-lived promise, which would keep something of every read. */
	private async unlessStopped<T>(work: Promise<T>): Promise<T | 'stopped'> {
		return await new Promise<T | 'stopped'>((resolve, reject) => {
			const interrupt = () => resolve('stopped');
			this.interrupts.add(interrupt);
			work.then(resolve, reject).finally(() => this.interrupts.delete(interrupt));
		});
	}
}

/** What a task is read for. */
interface Aim {
	taskId: string;
	/** Which job it is; spreads the polls. */
	index: number;
	wait?: WaitPlan;
	/** Any record of it, or its final one. */
	until: 'record' | 'final';
	/** Its record so far. */
	known?: Task;
}

/** What is known of one task while it is followed, and when it is to be read next. */
class Follower {
	private readonly startedMs: number;

	private readonly deadlineMs: number;

	private graceEndMs: number;

	private task: Task | undefined;

	private trouble: Trouble | undefined;

	private misses = 0;

	private reads = 0;

	constructor(
		private readonly aim: Aim,
		private readonly clock: Clock,
	) {
		this.startedMs = clock.now();
		this.deadlineMs = this.startedMs + (aim.wait?.timeoutMs ?? READ_BUDGET_MS);
		this.task = aim.known;
		this.graceEndMs = this.startedMs + this.firstGraceMs();
	}

	/** How it ended, or `undefined` while it goes on. */
	outcome(): Outcome | undefined {
		const { task, trouble } = this;
		const { taskId, until, wait } = this.aim;
		if (trouble && this.givesUpOn(trouble)) return { kind: 'notRead', taskId, task, trouble };
		if (task && !trouble) {
			if (until === 'record' || task.state === 'completed') return { kind: 'done', task };
			if (task.state === 'failed') return { kind: 'failed', task };
		}
		if (this.clock.now() < this.deadlineMs) return undefined;
		return wait || !trouble
			? { kind: 'timedOut', taskId, task, trouble }
			: { kind: 'notRead', taskId, task, trouble };
	}

	left(): Outcome {
		return { kind: 'left', taskId: this.aim.taskId, task: this.task };
	}

	/** The last read comes at the deadline itself, so that nothing finished is called too late. */
	nextReadMs(pace: ReadPace): number {
		const now = this.clock.now();
		const intervalMs = this.aim.wait?.intervalMs ?? 0;
		if (!this.task && this.reads === 0) return pace.earliestMs(now, 0);
		const wantedMs = this.trouble
			? now + backoffMs(this.misses, MISS_BACKOFF, () => this.clock.random())
			: now + pace.intervalMs(intervalMs, this.aim.index, this.reads);
		return Math.min(pace.earliestMs(wantedMs, intervalMs), this.deadlineMs);
	}

	take(answer: Answer, pace: ReadPace): void {
		this.reads += 1;
		if (answer.kind === 'task') {
			pace.answered();
			this.task = answer.task;
			this.trouble = undefined;
			this.misses = 0;
			this.graceEndMs = this.clock.now() + NOT_FOUND_GRACE_MS;
			return;
		}
		this.trouble = answer.trouble;
		if (readVerdict(answer.trouble) === 'rateLimited') pace.rateLimited(answer.trouble);
		else this.misses += 1;
	}

	/** Who waits may well have created the task a moment ago, in the node before this one. */
	private firstGraceMs(): number {
		if (this.task) return NOT_FOUND_GRACE_MS;
		return this.aim.wait ? UNSEEN_NOT_FOUND_GRACE_MS : 0;
	}

	private givesUpOn(trouble: Trouble): boolean {
		switch (readVerdict(trouble)) {
			case 'rateLimited':
				return false;
			case 'notFound':
				return this.clock.now() >= this.graceEndMs;
			case 'again':
				return this.misses >= (this.aim.wait ? MAX_MISSES_WAITING : MAX_MISSES_ONCE);
			case 'stop':
				return true;
		}
	}
}
