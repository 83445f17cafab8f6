import { Semaphore } from '../ground/semaphore';
import type { Timer } from '../ground/clock';
import type { Answer, ServiceError } from '../service/answer';
import { messageIn } from '../service/errorPayload';
import { failureOf, isCapacity } from '../service/failure';
import { hasResults, type Task } from '../service/task';
import { rejectsTheKey } from '../service/answerMeaning';
import { Creates, type Creating, MAX_KEY_STEPS } from './creates';
import { fail, type Fault, isCreate, type Item, taskIdOf, taskOf } from './order';
import { NOT_STARTED } from './orderWords';
import { PATIENCE_MS, Reading } from './reading';
import { decide, whatIsKnown } from './orderedBefore';
import { Throttle } from './throttle';

/** Keeps sockets and memory flat, whatever the number of tasks. */
const MAX_READS_AT_ONCE = 32;
const MAX_READ_PAUSE_MS = 30_000;

/** The longest time between two tries for a file that is late. */
const MAX_FILE_GAP_MS = 15_000;
const FIRST_FILE_GAP_MS = 5_000;

/** Why the files of a task are not there, and whether they may come. */
export interface FilesFault extends Fault {
	mayCome: boolean;
}

/** What the work needs of the run that it works for. */
export interface Host extends Creating {
	/** Ends with the run: then nothing is sent any more; creates that went out are waited for. */
	timer: Timer;
	/** How many unfinished tasks of this run the service may have at once. */
	maxConcurrentTasks: number;
	/** Brings the files of a completed task into n8n. @returns what is in the way, if something is */
	fetchFiles(item: Item): Promise<FilesFault | undefined>;
	/** An item has come to its end; told before the next one has its turn. */
	onEnded(item: Item): void;
}

/**
 * Brings the orders of a run to their ends together: creates tasks, reads each when it is due, and
 * starts the next as one finishes. It knows neither HTTP nor n8n; time comes from the timer.
 */
export class Work {
	private readonly creates: Creates;

	private readonly reads: Throttle;

	/** For unfinished tasks. */
	private readonly places: Semaphore;

	/** How many the service has room for, as far as is known; one more for each round that it finishes. */
	private room: number;

	constructor(private readonly host: Host) {
		const { timer, maxConcurrentTasks } = host;
		this.creates = new Creates(host, timer);
		this.room = maxConcurrentTasks;
		this.places = new Semaphore(this.room);
		const limits = { maxAtOnce: MAX_READS_AT_ONCE, maxPauseMs: MAX_READ_PAUSE_MS };
		this.reads = new Throttle(timer.clock, limits);
	}

	/** Resolves when no item can be brought further; one that throws stops no other. */
	async bring(items: Item[]): Promise<void> {
		// Tasks of an earlier try are unfinished at the service already, so they count first.
		const placed = items.filter(({ order }) => isCreate(order) && order.state.is === 'running');
		placed.forEach(() => this.places.acquireOverLimit());
		const ends = await Promise.allSettled(
			items.map(async (item) => await this.bringOne(item, placed.includes(item))),
		);
		const thrown = ends.find((end) => end.status === 'rejected');
		if (thrown) throw thrown.reason;
	}

	/** Sends no create any more; tasks that exist are read to their end. */
	stopCreating(): void {
		this.creates.close();
	}

	private async bringOne(item: Item, hasPlace: boolean): Promise<void> {
		const { ledger, timer, onEnded } = this.host;
		if (!isOpen(item)) return;
		const isPlaced = isCreate(item.order);
		if (isPlaced && !hasPlace && !(await this.places.acquire(timer.signal))) {
			return fail(item.order, NOT_STARTED);
		}
		try {
			while (await this.orderAndRead(item)) await ledger.replace(item, timer);
			ledger.note(item.order);
			onEnded(item);
		} finally {
			if (isPlaced) this.places.release();
		}
		if (await this.fetch(item)) onEnded(item);
	}

	/** @returns whether its order has ended, and another one takes its place in this run */
	private async orderAndRead(item: Item): Promise<boolean> {
		const { order, create, wait } = item;
		const isNew = order.state.is === 'new';
		const isReplay = isNew && (await this.creates.create(item));
		const sinceAt = this.host.timer.clock.now();
		if (wait) item.endsAt = sinceAt + wait.timeoutMs;
		if (order.state.is !== 'running') return false;
		// What another process has ordered under a derived key may have failed since.
		const isUnknown = isReplay && create?.hasDerivedKey === true;
		if (isNew && !wait && !isUnknown) return false;
		const createdAt = isNew ? sinceAt : undefined;
		const reading = new Reading(item, this.readTools(), createdAt);
		await reading.toEnd();
		this.adaptTo(item, createdAt);
		if (!reading.foundItFailed || this.creates.isClosed) return false;
		return isNew ? isUnknown && mayStep(item) : this.mayBeReplaced(item);
	}

	/** Its order is one of an earlier try or another execution, and has failed since. */
	private mayBeReplaced({ order, isAskedAgain = false }: Item): boolean {
		const asked = { known: whatIsKnown(order), byPerson: isAskedAgain, mayResend: false };
		return isCreate(order) && decide(order, asked) === 'anew';
	}

	private readTools() {
		const { host, reads, creates } = this;
		const { service, timer, throttle } = host;
		const onAnswer = (answer: Answer) => {
			if (answer.kind === 'task') {
				creates.isAccepted = true;
				throttle.taskRead();
			} else if (rejectsTheKey(answer.error) && !creates.isAccepted) creates.close(answer.error);
		};
		return { service, timer, reads, onAnswer, isAccepted: () => creates.isAccepted };
	}

	/** The service may have room for another task now; or none, although it has accepted this one. */
	private adaptTo({ order, wait }: Item, createdAt?: number): void {
		const { throttle, timer, maxConcurrentTasks } = this.host;
		const { state } = order;
		if (!wait || (state.is !== 'completed' && state.is !== 'failed')) return;
		if (state.is === 'failed' && isCapacity(state.task)) {
			this.room = Math.max(1, this.places.taken - 1);
			throttle.slowDown(createdAt ?? timer.clock.now(), fullService(state.task));
		} else {
			this.room = Math.min(maxConcurrentTasks, this.room + 1 / this.room);
			throttle.finished();
		}
		this.places.resize(Math.floor(this.room));
	}

	/**
	 * Brings its files, if it wants them and there are some. They may be late: the task is read again
	 * between tries, as a new link may come.
	 * @returns whether it has come to its end by this
	 */
	private async fetch(item: Item): Promise<boolean> {
		const { timer, fetchFiles } = this.host;
		const { order, download, endsAt = Infinity } = item;
		if (order.state.is !== 'completed' || !download || item.files) return false;
		const startedAt = timer.clock.now();
		const giveUpAt = Math.min(startedAt + PATIENCE_MS, Math.max(startedAt, endsAt));
		for (let gapMs = FIRST_FILE_GAP_MS; ; gapMs = Math.min(gapMs * 1.5, MAX_FILE_GAP_MS)) {
			const fault = await fetchFiles(item);
			if (!fault) return true;
			const now = timer.clock.now();
			if (!fault.mayCome || now >= giveUpAt || timer.signal.aborted) {
				fail(order, fault);
				return true;
			}
			await timer.until(Math.min(now + gapMs, giveUpAt));
			await this.readAgain(item);
		}
	}

	/** Only a record with results says more than the one before. */
	private async readAgain({ order }: Item): Promise<void> {
		const { service, timer } = this.host;
		if (!(await this.reads.acquire({ end: timer.signal }))) return;
		const answer = await service.read(taskIdOf(order) ?? '', timer.signal);
		this.reads.release();
		if (answer.kind !== 'task' || !hasResults(answer.task) || order.state.is !== 'completed')
			return;
		order.state = { ...order.state, task: { ...answer.task, state: 'completed' } };
	}
}

/** Whether something of it is still to come: its end, or the files of its task. */
const isOpen = ({ order, sharedWith }: Item): boolean =>
	!sharedWith && ['new', 'running'].includes(order.state.is);

/** Whether the order after one that has failed in another process is asked for. */
function mayStep(item: Item): boolean {
	const { keySteps = 0 } = item;
	const task = taskOf(item.order);
	const isForGood = !task || ['moderation', 'cancelled'].includes(failureOf(task));
	item.keySteps = keySteps + 1;
	return !isForGood && keySteps < MAX_KEY_STEPS;
}

/** What the service would have said, had it not accepted the task. */
const fullService = ({ record: { error } }: Task): ServiceError => ({
	...{ kind: 'status', status: 429, isJson: true },
	serviceMessage: messageIn(error),
});
