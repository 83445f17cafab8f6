import type { Answer, Trouble } from '../service/answer';
import type { Task } from '../service/task';
import type { CreateVerdict } from '../service/retryPolicy';
import { createVerdict, rejectsTheKey } from '../service/retryPolicy';
import { Alarm } from './alarm';
import type { Clock } from './clock';
import { CreatePace } from './createPace';
import type { Aim } from './follower';
import { Follower } from './follower';
import type { Job, Outcome, Start, TaskService } from './job';
import type { ReadTime } from './readPace';
import { ReadPace } from './readPace';
import { Semaphore } from './semaphore';

/** What a run of tasks works with, and whom it tells. */
export interface RunSettings<Request> {
	service: TaskService<Request>;
	clock: Clock;
	/** How many unfinished tasks of this run the service may have at once. */
	maxUnfinished: number;
	/** Ends the run: nothing is sent any more and every unfinished job is left as it is. */
	signal?: AbortSignal;
	/** Told before every create: from then on a task may exist. */
	onSend?: (jobIndex: number) => void;
	/** Told when a create certainly made no task. */
	onRefused?: (jobIndex: number) => void;
	/** Told of every task as soon as its id is known, before anything else can go wrong. */
	onTask?: (jobIndex: number, task: Task) => void;
	/** What belongs to a job beyond its outcome; the job has ended when this is done. */
	afterwards?: (jobIndex: number, outcome: Outcome) => Promise<void>;
	/** Ends what `afterwards` is doing. */
	stopAfterwards?: () => void;
	/** Whether this outcome ends the run for the other jobs too. */
	endsRun?: (jobIndex: number, outcome: Outcome) => boolean;
}

/** How long creates are tried again against 429 when no wait says how much time there is. */
const CREATE_BUDGET_MS = 20 * 60_000;

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
		const existing = jobs.filter(({ start }) => start.kind !== 'create');
		this.reads = new ReadPace(clock, this.alarm, existing.length);
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
		this.settings.stopAfterwards?.();
		for (const interrupt of this.interrupts) interrupt();
	}

	/** Tasks of an earlier try are unfinished at the service already, so they count first. */
	private countExistingTasks(): void {
		for (const { start } of this.jobs) if (start.kind === 'resume') this.unfinished.enterAnyway();
	}

	private async runJob(job: Job<Request>, index: number): Promise<Outcome> {
		const outcome = await this.startJob(job, index);
		if (outcome.kind === 'done' || outcome.kind === 'failed') this.creates.taskFinished();
		await this.settings.afterwards?.(index, outcome);
		if (!this.isStopped && this.settings.endsRun?.(index, outcome)) this.stop();
		return outcome;
	}

	private async startJob(job: Job<Request>, index: number): Promise<Outcome> {
		const { start } = job;
		if (start.kind === 'read') {
			return await this.follow({
				taskId: start.taskId,
				wait: job.wait,
				index,
				until: job.wait ? 'final' : 'record',
				sinceMs: this.settings.clock.now(),
				isOwn: false,
			});
		}
		if (start.kind === 'create' && !(await this.unfinished.enter())) return { kind: 'notStarted' };
		try {
			return start.kind === 'resume'
				? await this.resume(start, job, index)
				: await this.createAndFollow(start, job, index);
		} finally {
			this.unfinished.leave();
		}
	}

	/** The earlier task's own outcome, unless it had failed by the time it is first read. */
	private async resume(
		{ taskId, request, lastSeen }: Start<Request> & { kind: 'resume' },
		job: Job<Request>,
		index: number,
	): Promise<Outcome> {
		const sinceMs = this.settings.clock.now();
		const aim = { taskId, wait: job.wait, index, sinceMs, isOwn: true, lastSeen };
		const first = await this.follow({ ...aim, until: 'record' });
		if (first.kind !== 'done') return first;
		this.settings.onTask?.(index, first.task);
		if (first.task.state === 'failed') {
			if (request === undefined) return { kind: 'failed', task: first.task };
			return await this.createAndFollow({ request }, job, index);
		}
		return job.wait ? await this.follow({ ...aim, until: 'final', known: first.task }) : first;
	}

	private async createAndFollow(
		{ request, mayExist }: { request: Request; mayExist?: boolean },
		job: Job<Request>,
		index: number,
	): Promise<Outcome> {
		const created = await this.create(request, index, job.wait?.timeoutMs ?? CREATE_BUDGET_MS);
		if ('kind' in created) return mayExist ? withEarlierDoubt(created) : created;
		this.settings.onTask?.(index, created);
		const { wait } = job;
		if (!wait) return { kind: 'done', task: created };
		const sinceMs = this.settings.clock.now();
		const aim = { taskId: created.id, wait, index, sinceMs, isOwn: true };
		return await this.follow({ ...aim, until: 'final', known: created });
	}

	/** Sends the create until it is taken or refused; see `createVerdict` for what may be repeated. */
	private async create(request: Request, index: number, budgetMs: number): Promise<Task | Outcome> {
		for (let again = false; ; again = true) {
			const turn = await this.creates.turn(again, budgetMs);
			if (turn === 'stopped') return { kind: 'notStarted' };
			if (turn !== 'go') return { kind: 'notCreated', trouble: turn, mayExist: false };
			this.settings.onSend?.(index);
			const sentMs = this.settings.clock.now();
			const answer = await this.settings.service.create(request);
			if (answer.kind === 'task') {
				this.creates.accepted();
				return answer.task;
			}
			const { trouble } = answer;
			const verdict = createVerdict(trouble);
			this.tellPace(verdict, trouble, sentMs);
			if (verdict !== 'unknown') this.settings.onRefused?.(index);
			if (verdict === 'refused' || verdict === 'unknown') {
				return { kind: 'notCreated', trouble, mayExist: verdict === 'unknown' };
			}
		}
	}

	private tellPace(verdict: CreateVerdict, trouble: Trouble, sentMs: number): void {
		if (verdict === 'rateLimited') this.creates.rateLimited(trouble, sentMs);
		else if (verdict === 'again') this.creates.unreachable(trouble, sentMs);
		else this.creates.ended(trouble);
	}

	/** Reads a task until there is what was asked for, or no hope for it. */
	private async follow(aim: Aim): Promise<Outcome> {
		const follower = new Follower(aim, this.settings.clock);
		const outcome = follower.outcome();
		if (outcome) return outcome;
		const tooLate = this.abortsAt(follower.tooLateMs);
		for (;;) {
			if (!(await this.read(follower, aim.taskId, tooLate))) return follower.left();
			const outcome = follower.outcome();
			if (outcome) return outcome;
		}
	}

	/** One for all reads of a task, as what waits in the alarm stays there until its time. */
	private abortsAt(dueMs: number): (() => AbortSignal) | undefined {
		if (!Number.isFinite(dueMs)) return undefined;
		let controller: AbortController | undefined;
		return () => {
			if (controller === undefined) {
				const late = new AbortController();
				controller = late;
				void this.alarm.until(dueMs).then((reached) => reached && late.abort());
			}
			return controller.signal;
		};
	}

	/** Reads a task once, in its turn, unless it is too late; `false` when the run was stopped. */
	private async read(
		follower: Follower,
		taskId: string,
		tooLate: ReadTime['tooLate'],
	): Promise<boolean> {
		if (this.isStopped) return false;
		const turn = await this.reads.turn({ ...follower.nextRead(this.reads), tooLate });
		if (turn !== 'go') return turn === 'tooLate';
		try {
			const work = this.settings.service.read(taskId, follower.readLimitMs);
			const answer = await this.unlessStopped(work);
			if (answer === 'stopped') return false;
			// Before the next one has its turn: this answer may begin a pause.
			this.take(answer, follower);
			return true;
		} finally {
			this.reads.leave();
		}
	}

	private take(answer: Answer, follower: Follower): void {
		follower.take(answer, this.reads);
		if (answer.kind === 'trouble' && rejectsTheKey(answer.trouble)) {
			this.creates.close(answer.trouble);
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

/** That the second request was refused says nothing of the first. */
const withEarlierDoubt = (outcome: Outcome): Outcome =>
	outcome.kind === 'notCreated' && !outcome.mayExist
		? { ...outcome, mayExist: true, sinceEarlierTry: true }
		: outcome;
