import type { IDataObject } from 'n8n-workflow';
import { Timer } from '../../nodes/Videogen/shared/clock';
import type {
	Answer,
	NetworkReason,
	Service,
	ServiceError,
} from '../../nodes/Videogen/service/types';
import type { GenerationRequest } from '../../nodes/Videogen/service/contract/request';
import { asTask, type Task } from '../../nodes/Videogen/service/task';
import { Gate } from '../../nodes/Videogen/work/gate';
import { Ledger, type Scope } from '../../nodes/Videogen/work/ledger';
import { Memory } from '../../nodes/Videogen/work/memory';
import type { Item, Order, Wish } from '../../nodes/Videogen/work/order';
import { type Host, Work } from '../../nodes/Videogen/work/work';
import { VirtualClock } from '../../tools/virtualClock';

let keys = 0;

/** What an item with this prompt asks for; its fields are named after the prompt, too. */
export const wishOf = (prompt = 'A fox', more: Partial<Wish> = {}): Wish => ({
	request: { model: 'videogen-2.5-text-to-video', prompt, duration: 5 },
	...{ keyText: '', requestHash: `request of ${prompt}`, fieldsHash: `fields of ${prompt}` },
	...{ parametersHash: 'parameters', mayReuse: true, mayResend: false },
	keyFor: (count) => (more.keyText ? `${more.keyText}/${count}` : `key ${(keys += 1)}`),
	toSend: async (saved) => saved,
	...more,
});

/** An item that creates and waits. */
export const itemWith = (more: Partial<Item> = {}): Item & { wish: Wish } => ({
	...{ index: 0, simplify: true, wait: { intervalMs: 5_000, timeoutMs: 3_600_000 } },
	...more,
	wish: more.wish ?? wishOf(),
});

/** The kinds of the items' faults. */
export const kindsOf = (items: Item[]): string =>
	items.map(({ failure }) => failure?.kind ?? 'none').join(' ');

/** An order that execution 1 has sent, where it was sent. */
export function orderOf(state: Order['state'], more: Partial<Order> = {}): Order {
	const { request, keyText, requestHash, parametersHash, fieldsHash } = wishOf();
	return {
		...{ id: 'order', state, key: 'key', keyCount: 0, executionId: '1' },
		...{ request, keyText, requestHash, parametersHash, fieldsHash },
		...more,
	};
}

export function taskOf(status: string, more: IDataObject = {}): Task {
	const task = asTask({ id: 'task_1', status, ...more });
	if (task === undefined) throw new Error('A task has a status');
	return task;
}

export const VIDEO = { results: ['https://e.com/fox.mp4'] };

export const record = (status: string, more?: IDataObject): Answer => ({
	kind: 'task',
	task: taskOf(status, more),
});

const failed = (error: ServiceError): Answer => ({ kind: 'error', error });

export const refusal = (status: number, more: object = {}): Answer =>
	failed({ kind: 'status', status, isJson: true, ...more });

export const noReply = (reason: NetworkReason = 'lost'): Answer =>
	failed({ kind: 'network', reason });

export function errorOf(answer: Answer): ServiceError {
	if (answer.kind === 'task') throw new Error('It is a task');
	return answer.error;
}

/** Answers one after the other, the last one for ever. */
export type Script = Array<Answer | { afterMs: number; answer: Answer }>;

export const late = (afterMs: number, answer: Answer): Script[number] => ({ afterMs, answer });

/** A service that answers by scripts, and notes what it was asked. */
export class ScriptedService implements Service {
	readonly creates: Array<{ atMs: number; key: string; request: GenerationRequest }> = [];
	readonly reads: Array<{ atMs: number; id: string; atMostMs?: number }> = [];

	constructor(
		private readonly clock: VirtualClock,
		private readonly toCreates: Script,
		private readonly toReads: Script,
	) {}

	async create(request: GenerationRequest, key: string): Promise<Answer> {
		this.creates.push({ atMs: this.clock.now(), key, request });
		return await this.next(this.toCreates);
	}

	/** As the real one, it ends at once when the signal aborts. */
	async read(id: string, signal?: AbortSignal, atMostMs?: number): Promise<Answer> {
		this.reads.push({ atMs: this.clock.now(), id, atMostMs });
		return await this.next(this.toReads, signal);
	}

	private async next(script: Script, signal?: AbortSignal): Promise<Answer> {
		const first = script.length > 1 ? script.shift() : script[0];
		if (first === undefined) throw new Error('Nobody should have asked');
		if ('kind' in first) return first;
		await this.clock.sleep(first.afterMs, signal);
		return signal?.aborted ? noReply() : first.answer;
	}
}

/** What a scene begins with. */
interface Given extends Partial<Omit<Host, 'gate'>> {
	toCreates?: Script;
	toReads?: Script;
	/** What n8n has kept of the node. */
	context?: IDataObject;
	/** How many creates may be under way at once. */
	createsAtOnce?: number;
	stopsOnFailure?: boolean;
}

/** One run of the node without n8n: a clock, a service by script, and what the work needs. */
export class Scene {
	readonly clock = new VirtualClock(() => 1);
	readonly service: ScriptedService;
	readonly stop = new AbortController();
	readonly timer = new Timer(this.clock, this.stop.signal);
	readonly memory = new Memory(this.clock.now);
	readonly named: string[] = [];
	readonly host: Host;
	readonly work: Work;

	constructor({ toCreates = [], toReads = [], context = {}, ...given }: Given = {}) {
		const { executionId = '1', createsAtOnce = 10, stopsOnFailure, ...host } = given;
		this.service = new ScriptedService(this.clock, [...toCreates], [...toReads]);
		const { clock, memory, service, timer } = this;
		this.host = {
			...{ service, timer, executionId, baseUrl: 'https://e.com', isTool: false },
			ledger: new Ledger(scopeOf({ context, memory, executionId })),
			...{ gate: new Gate(clock, createsAtOnce), reads: new Gate(clock, 3) },
			maxConcurrentTasks: 20,
			fetchFiles: async () => ({ files: [] }),
			onTask: ({ index }, id) => void this.named.push(`${index}: ${id}`),
			onFailure: () => stopsOnFailure && this.work.stopCreating(),
			...host,
		};
		this.work = new Work(this.host);
	}

	/** Finds the orders of these items, and brings them as far as they come. */
	async run(...items: Item[]): Promise<Item[]> {
		this.host.ledger.begin(items, { max: 100, isAdded: false });
		await this.work.bring(items).finally(() => this.stop.abort());
		return items;
	}
}

export const scopeOf = (more: Partial<Scope> = {}): Scope => ({
	...{ context: {}, memory: new Memory(() => 0), executionId: '1', run: 0 },
	...{ isTool: false, isManual: false, node: 'node' },
	...more,
});
