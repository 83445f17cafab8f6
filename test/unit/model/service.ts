import type { Execution } from './executions';
import { pick, type Random, type Weights } from './random';

/** What may go wrong with a create, on its way or at the service. */
export type Fault =
	| ('ok' | 'noConnection' | 'lostBefore' | 'lostAfter' | 'html' | 'named')
	| ('bad' | 'balance' | 'content' | 'key' | 'rate' | 'busy');

/** What becomes of a task. */
export type Fate = 'completed' | 'long' | 'failed' | 'content' | 'expired' | 'cancelled';

export interface ServiceHabits {
	/** What it does with a key that it knows: a task of its own, the same record, or a 409. */
	keys: 'ignore' | 'replay' | 'conflict';
	/** Whether it may refuse a request whose key it knows. */
	checkFirst: boolean;
	/** Whether it gives a refusal again under the same key. */
	keepErrors: boolean;
	/** Whether it answers 409 when another prompt comes under a key that it knows. */
	bodyCheck: boolean;
	faults: Weights<Fault>;
	fates: Weights<Fate>;
}

/** What the world knows of a create, and the node does not say: for the judge. */
export interface Origin {
	execution: Execution;
	/** The person's item. */
	itemId: string;
	/** How often the loop has reworded it. */
	wording: number;
	run: number;
	/** Of the prompt, as the person has edited it. */
	version: number;
	/** The person's key, as its field has it. */
	keyField: string;
	/** The same, evaluated. */
	keyText: string;
	isTool: boolean;
}

export interface PlayedTask {
	id: string;
	key: string;
	prompt: string;
	origin: Origin;
	fate: Fate;
	/** How it ends. */
	ending: string;
	/** Whether it fails for its content. */
	isContent: boolean;
	/** Reads until its end. */
	readsLeft: number;
	isCharged: boolean;
	/** Whether an answer has named it. */
	isReported: boolean;
}

export interface TaskRecord {
	id: string;
	status: string;
	isContent: boolean;
}

type Refusal = 'bad' | 'balance' | 'content' | 'key' | 'conflict';

/** The answer to a create. */
export type CreateAnswer =
	| { is: 'noConnection' }
	| { is: 'lost' }
	/** A page of a gateway. */
	| { is: 'html'; status: number }
	/** `record` is there, whatever the status says. */
	| { is: 'json'; status: number; refusal?: Refusal; record?: TaskRecord; isReplay?: boolean };

const REFUSALS = {
	bad: { is: 'json', status: 400, refusal: 'bad' },
	balance: { is: 'json', status: 402, refusal: 'balance' },
	content: { is: 'json', status: 400, refusal: 'content' },
	key: { is: 'json', status: 401, refusal: 'key' },
	rate: { is: 'json', status: 429 },
	busy: { is: 'json', status: 503 },
} satisfies Partial<Record<Fault, CreateAnswer>>;

const isRefusal = (fault: Fault): fault is keyof typeof REFUSALS => fault in REFUSALS;

const ENDINGS: Record<Fate, string> = {
	...{ completed: 'completed', long: 'completed', failed: 'failed', content: 'failed' },
	...{ expired: 'expired', cancelled: 'cancelled' },
};

interface Create {
	prompt: string;
	key: string;
	origin: Origin;
}

/** The service: it honours keys or not, refuses, loses answers, and lets tasks fail. */
export class Service {
	readonly tasks: PlayedTask[] = [];

	readonly requests: Array<Create & { answer: CreateAnswer; task?: PlayedTask }> = [];

	/** From now on, everything goes well. */
	isHealthy = false;

	private readonly known = new Map<string, PlayedTask | CreateAnswer>();

	constructor(
		private readonly random: Random,
		private readonly habits: ServiceHabits,
	) {}

	create(create: Create): { answer: CreateAnswer; task?: PlayedTask } {
		const answered = this.answerTo(create);
		this.requests.push({ ...create, ...answered });
		return answered;
	}

	read(id: string): TaskRecord {
		const task = this.tasks.find((one) => one.id === id);
		if (!task) throw new Error(`No task ${id}`);
		if (this.isHealthy && task.fate === 'long') task.readsLeft = Math.min(task.readsLeft, 1);
		if (task.readsLeft > 0) task.readsLeft -= 1;
		return recordOf(task);
	}

	private answerTo(create: Create): { answer: CreateAnswer; task?: PlayedTask } {
		const { checkFirst, keepErrors, keys } = this.habits;
		const { key, prompt } = create;
		const fault = this.isHealthy ? 'ok' : pick(this.random, this.habits.faults);
		if (fault === 'noConnection') return { answer: { is: 'noConnection' } };
		if (fault === 'lostBefore') return { answer: { is: 'lost' } };
		const known = this.known.get(key);
		const refusal = isRefusal(fault) ? REFUSALS[fault] : prompt.includes('bad') && REFUSALS.content;
		if (refusal && (checkFirst || !known)) {
			const isKept = keepErrors && keys !== 'ignore' && !known && fault !== 'rate';
			if (isKept) this.known.set(key, refusal);
			return { answer: refusal };
		}
		if (known) return 'is' in known ? { answer: known } : this.replay(known, fault, prompt);
		return this.make(create, fault);
	}

	private replay(task: PlayedTask, fault: Fault, prompt: string) {
		const { keys, bodyCheck } = this.habits;
		const end = (answer: CreateAnswer) => ({ answer, task });
		if (fault === 'lostAfter' || fault === 'html') return end({ is: 'lost' });
		if (keys === 'conflict' || (bodyCheck && task.prompt !== prompt))
			return end({ is: 'json', status: 409, refusal: 'conflict' });
		task.isReported = true;
		return end({ is: 'json', status: 200, record: recordOf(task), isReplay: true });
	}

	private make(create: Create, fault: Fault): { answer: CreateAnswer; task: PlayedTask } {
		const task = this.newTask(create);
		if (fault === 'lostAfter') return { answer: { is: 'lost' }, task };
		if (fault === 'html') return { answer: { is: 'html', status: 502 }, task };
		task.isReported = true;
		const record =
			fault === 'named' ? { id: task.id, status: 'processing', isContent: false } : recordOf(task);
		return { answer: { is: 'json', status: fault === 'named' ? 500 : 200, record }, task };
	}

	private newTask({ prompt, key, origin }: Create): PlayedTask {
		const fate = this.isHealthy ? 'completed' : pick(this.random, this.habits.fates);
		const longReads = () => 4 + Math.floor(this.random() * 8);
		const fewReads = () => Math.floor(this.random() * 3);
		const task: PlayedTask = {
			...{ id: `T${this.tasks.length + 1}`, key, prompt, origin, fate, ending: ENDINGS[fate] },
			isContent: fate === 'content',
			readsLeft: this.isHealthy ? 1 : fate === 'long' ? longReads() : fewReads(),
			isCharged: ENDINGS[fate] === 'completed',
			isReported: false,
		};
		this.tasks.push(task);
		if (this.habits.keys !== 'ignore') this.known.set(key, task);
		return task;
	}
}

const recordOf = ({ id, readsLeft, ending, isContent }: PlayedTask): TaskRecord => ({
	...{ id, isContent },
	status: readsLeft > 0 ? 'processing' : ending,
});
