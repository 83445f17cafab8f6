import { providerMessageIn } from '../../../nodes/Videogen/service/providerMessage';
import type { Answer } from '../../../nodes/Videogen/service/types';
import { noReply, record, refusal } from '../../support/work';
import type { InputItem, PlayedExecution } from './executions';
import { pick, type Random } from './random';
import type { LifeScenario } from './scenario';

/** What may go wrong with a create, on its way or at the service. */
export type PlayedFault =
	| ('ok' | 'noConnection' | 'lostBefore' | 'lostAfter' | 'html' | 'named')
	| ('bad' | 'balance' | 'content' | 'key' | 'rate' | 'busy');

/** What becomes of a task. */
export type Fate = 'completed' | 'long' | 'failed' | 'content' | 'expired' | 'cancelled';

interface Create {
	prompt: string;
	callbackUrl?: string;
	key: string;
	/** What the world knows of it, and the node does not say: for the judge. */
	origin: {
		execution: PlayedExecution;
		/** The person's item, and the key for it. */
		item: InputItem;
		keyText: string;
	};
}

export interface PlayedTask extends Create {
	id: string;
	fate: Fate;
	isCharged: boolean;
	/** Reads until its end. */
	readsLeft: number;
	/** Whether an answer has named it. */
	isReported: boolean;
}

/** What the service does with a create. */
interface Handled {
	answer: Answer;
	task?: PlayedTask;
	isReplay?: boolean;
}

const CONTENT = { code: 'content_policy_violation', message: 'Rejected for its content' };
const refused = (status: number, code: string, message: string) =>
	refusal(status, providerMessageIn({ error: { code, message } }));
const CONFLICT = refused(409, 'conflict', 'Already received');
const REFUSED_CONTENT = refused(400, CONTENT.code, CONTENT.message);

const REFUSALS: Partial<Record<PlayedFault, Answer>> = {
	bad: refused(400, 'bad_request', 'Not a valid request'),
	balance: refused(402, 'insufficient_balance', 'Not enough credits'),
	content: REFUSED_CONTENT,
	key: refused(401, 'unauthorized', 'Not a valid key'),
	rate: refusal(429),
	busy: refusal(503),
};

/** The service: it honours keys or not, refuses, loses answers, and lets tasks fail. */
export class PlayedService {
	readonly tasks: PlayedTask[] = [];

	readonly requests: Array<Create & Handled> = [];

	/** From now on, everything goes well. */
	isHealthy = false;

	private readonly known = new Map<string, PlayedTask | Answer>();

	constructor(
		private readonly random: Random,
		private readonly habits: LifeScenario['service'],
	) {}

	create(create: Create): Handled {
		const handled = this.handle(create);
		this.requests.push({ ...create, ...handled });
		return handled;
	}

	read(id: string): Answer {
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
		if (fault === 'noConnection') return { answer: noReply('connectionRefused') };
		if (fault === 'lostBefore') return { answer: noReply() };
		const known = this.known.get(key);
		const answer = REFUSALS[fault] ?? (prompt.includes('bad') ? REFUSED_CONTENT : undefined);
		if (answer && (checkFirst || !known)) {
			const isKept = keepErrors && keys !== 'ignore' && !known && fault !== 'rate';
			if (isKept) this.known.set(key, answer);
			return { answer };
		}
		if (!known) return this.make(create, fault);
		return 'kind' in known ? { answer: known } : this.replay(known, fault, prompt);
	}

	private replay(task: PlayedTask, fault: PlayedFault, prompt: string): Handled {
		const { keys, bodyCheck } = this.habits;
		if (fault === 'lostAfter' || fault === 'html') return { answer: noReply(), task };
		const isConflict = keys === 'conflict' || (bodyCheck && task.prompt !== prompt);
		if (isConflict) return { answer: CONFLICT, task };
		task.isReported = true;
		return { answer: recordOf(task), task, isReplay: true };
	}

	private make(create: Create, fault: PlayedFault): Handled {
		const task = this.newTask(create);
		if (fault === 'lostAfter') return { answer: noReply(), task };
		if (fault === 'html') return { answer: refusal(502, { isJson: false, isPage: true }), task };
		task.isReported = true;
		const isNamed = fault === 'named';
		return { answer: isNamed ? refusal(500, { namedTaskId: task.id }) : recordOf(task), task };
	}

	private newTask(create: Create): PlayedTask {
		const fate = this.isHealthy ? 'completed' : pick(this.random, this.habits.fates);
		const longReads = () => 4 + Math.floor(this.random() * 8);
		const fewReads = () => Math.floor(this.random() * 3);
		const task: PlayedTask = {
			...create,
			id: `T${this.tasks.length + 1}`,
			fate,
			isCharged: endingOf(fate) === 'completed',
			readsLeft: this.isHealthy ? 1 : fate === 'long' ? longReads() : fewReads(),
			isReported: false,
		};
		this.tasks.push(task);
		if (this.habits.keys !== 'ignore') this.known.set(create.key, task);
		return task;
	}
}

function endingOf(fate: Fate): string {
	if (fate === 'long') return 'completed';
	return fate === 'content' ? 'failed' : fate;
}

/** A task as an answer has it. */
const recordOf = ({ id, fate, readsLeft }: PlayedTask): Answer =>
	readsLeft > 0
		? record('processing', { id })
		: record(endingOf(fate), {
				id,
				results: endingOf(fate) === 'completed' ? [`https://service.example/${id}.mp4`] : [],
				error: fate === 'content' ? CONTENT : undefined,
			});
