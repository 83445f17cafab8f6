import { providerMessageIn } from '../../../nodes/Videogen/service/providerMessage';
import { createdTaskIn, namedTaskIdIn } from '../../../nodes/Videogen/service/task';
import type { Answer, ServiceError } from '../../../nodes/Videogen/service/types';
import type { PlayedExecution, InputItem } from './executions';
import { pick, type Random } from './random';
import type { LifeScenario } from './scenario';

/** What may go wrong with a create, on its way or at the service. */
export type PlayedFault =
	| ('ok' | 'noConnection' | 'lostBefore' | 'lostAfter' | 'html' | 'named')
	| ('bad' | 'balance' | 'content' | 'key' | 'rate' | 'busy');

/** What becomes of a task. */
export type Fate = 'completed' | 'long' | 'failed' | 'content' | 'expired' | 'cancelled';

/** What the world knows of a create, and the node does not say: for the judge. */
interface Origin {
	execution: PlayedExecution;
	/** The person's item. */
	item: InputItem;
	/** The person's key for it. */
	keyText: string;
}

export interface PlayedTask {
	id: string;
	key: string;
	prompt: string;
	callbackUrl?: string;
	origin: Origin;
	fate: Fate;
	isCharged: boolean;
	/** Reads until its end. */
	readsLeft: number;
	/** Whether an answer has named it. */
	isReported: boolean;
}

/** The answer to a create; the page of a gateway has no body. */
export type PlayedReply = 'noConnection' | 'lost' | { status: number; body?: object };

/** What the service does with a create. */
interface Handled {
	reply: PlayedReply;
	task?: PlayedTask;
	isReplay?: boolean;
}

interface Create {
	prompt: string;
	callbackUrl?: string;
	key: string;
	origin: Origin;
}

const CONTENT = { code: 'content_policy_violation', message: 'Rejected for its content' };
const refusal = (status: number, error?: object) => ({ status, body: { error } });
const CONFLICT = refusal(409, { code: 'conflict', message: 'Already received' });
const REFUSED_CONTENT = refusal(400, CONTENT);

const REFUSALS: Partial<Record<PlayedFault, typeof CONFLICT>> = {
	bad: refusal(400, { code: 'bad_request', message: 'Not a valid request' }),
	balance: refusal(402, { code: 'insufficient_balance', message: 'Not enough credits' }),
	content: REFUSED_CONTENT,
	key: refusal(401, { code: 'unauthorized', message: 'Not a valid key' }),
	rate: refusal(429),
	busy: refusal(503),
};

/** The service: it honours keys or not, refuses, loses answers, and lets tasks fail. */
export class PlayedService {
	readonly tasks: PlayedTask[] = [];

	readonly requests: Array<Create & Handled> = [];

	/** From now on, everything goes well. */
	isHealthy = false;

	private readonly known = new Map<string, PlayedTask | typeof CONFLICT>();

	constructor(
		private readonly random: Random,
		private readonly habits: LifeScenario['service'],
	) {}

	create(create: Create): Handled {
		const handled = this.handle(create);
		this.requests.push({ ...create, ...handled });
		return handled;
	}

	read(id: string): object {
		const task = this.tasks.find((one) => one.id === id);
		if (!task) throw new Error(`No task ${id}`);
		if (this.isHealthy && task.fate === 'long') task.readsLeft = Math.min(task.readsLeft, 1);
		if (task.readsLeft > 0) task.readsLeft -= 1;
		return recordOf(task);
	}

	private handle(create: Create): Handled {
		const { checkFirst, keepErrors, keys } = this.habits;
		const { key, prompt } = create;
		const fault = this.isHealthy ? 'ok' : pick(this.random, this.habits.faults);
		if (fault === 'noConnection') return { reply: fault };
		if (fault === 'lostBefore') return { reply: 'lost' };
		const known = this.known.get(key);
		const refused = REFUSALS[fault] ?? (prompt.includes('bad') ? REFUSED_CONTENT : undefined);
		if (refused && (checkFirst || !known)) {
			const isKept = keepErrors && keys !== 'ignore' && !known && fault !== 'rate';
			if (isKept) this.known.set(key, refused);
			return { reply: refused };
		}
		if (known) return 'body' in known ? { reply: known } : this.replay(known, fault, prompt);
		return this.make(create, fault);
	}

	private replay(task: PlayedTask, fault: PlayedFault, prompt: string): Handled {
		const { keys, bodyCheck } = this.habits;
		if (fault === 'lostAfter' || fault === 'html') return { reply: 'lost', task };
		if (keys === 'conflict' || (bodyCheck && task.prompt !== prompt))
			return { reply: CONFLICT, task };
		task.isReported = true;
		return { reply: { status: 200, body: recordOf(task) }, task, isReplay: true };
	}

	private make(create: Create, fault: PlayedFault): Handled {
		const task = this.newTask(create);
		if (fault === 'lostAfter') return { reply: 'lost', task };
		if (fault === 'html') return { reply: { status: 502 }, task };
		task.isReported = true;
		if (fault !== 'named') return { reply: { status: 200, body: recordOf(task) }, task };
		return { reply: { status: 500, body: { id: task.id, status: 'processing' } }, task };
	}

	private newTask({ prompt, callbackUrl, key, origin }: Create): PlayedTask {
		const fate = this.isHealthy ? 'completed' : pick(this.random, this.habits.fates);
		const longReads = () => 4 + Math.floor(this.random() * 8);
		const fewReads = () => Math.floor(this.random() * 3);
		const task: PlayedTask = {
			...{ id: `T${this.tasks.length + 1}`, key, prompt, callbackUrl, origin, fate },
			isCharged: endingOf(fate) === 'completed',
			readsLeft: this.isHealthy ? 1 : fate === 'long' ? longReads() : fewReads(),
			isReported: false,
		};
		this.tasks.push(task);
		if (this.habits.keys !== 'ignore') this.known.set(key, task);
		return task;
	}
}

function endingOf(fate: Fate): string {
	if (fate === 'long') return 'completed';
	return fate === 'content' ? 'failed' : fate;
}

/** A task as an answer has it. */
const recordOf = ({ id, fate, readsLeft }: PlayedTask): object =>
	readsLeft > 0
		? { id, status: 'processing' }
		: {
				id,
				status: endingOf(fate),
				results: endingOf(fate) === 'completed' ? [`https://service.example/${id}.mp4`] : [],
				error: fate === 'content' ? CONTENT : undefined,
			};

/** The answer to a create as the node's client gives it. */
export function answerOf(reply: PlayedReply): Answer {
	if (reply === 'noConnection') return failed({ kind: 'network', reason: 'connectionRefused' });
	if (reply === 'lost') return failed({ kind: 'network', reason: 'lost' });
	const { status, body } = reply;
	if (!body) return failed({ kind: 'status', status, isJson: false, isPage: true });
	const task = status < 300 ? createdTaskIn(body) : undefined;
	if (task) return { kind: 'task', task };
	const namedTaskId = namedTaskIdIn(body);
	return failed({ kind: 'status', status, isJson: true, namedTaskId, ...providerMessageIn(body) });
}

const failed = (error: ServiceError): Answer => ({ kind: 'error', error });
