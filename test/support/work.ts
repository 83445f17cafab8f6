import type { IDataObject } from 'n8n-workflow';
import { ENDED, Timer } from '../../nodes/Videogen/shared/clock';
import { Semaphore } from '../../nodes/Videogen/shared/semaphore';
import { Downloads } from '../../nodes/Videogen/files/download';
import type { FileAccess } from '../../nodes/Videogen/files/fetch';
import type {
	Answer,
	NetworkReason,
	Service,
	ServiceError,
} from '../../nodes/Videogen/service/types';
import type { GenerationRequest } from '../../nodes/Videogen/service/contract/request';
import { Creating } from '../../nodes/Videogen/work/creating';
import { type Finished, finishAll } from '../../nodes/Videogen/work/finish';
import { Gate } from '../../nodes/Videogen/work/gate';
import { Ledger } from '../../nodes/Videogen/work/ledger';
import { Memory } from '../../nodes/Videogen/work/memory';
import type { Plan, Result, Session } from '../../nodes/Videogen/work/session';
import { VirtualClock } from '../../tools/virtualClock';
import { productionScope, taskOf } from './orders';

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

/** The kinds of the items' failures. */
export const kindsOf = (results: readonly Result[]): string =>
	results.map(({ outcome }) => outcome.failure?.kind ?? 'none').join(' ');

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

export const NO_FILES: FileAccess = {
	fetch: async () => await Promise.reject(new Error('Nobody should have asked')),
	store: async () => await Promise.reject(new Error('Nothing should be stored')),
	isOnDisk: async () => await Promise.resolve(true),
};

/** What a scene begins with. */
interface Given extends Partial<
	Pick<Session, 'baseUrl' | 'continues' | 'createLimitMs' | 'executionId' | 'isTool'>
> {
	clock?: VirtualClock;
	toCreates?: Script;
	toReads?: Script;
	files?: FileAccess;
	/** What n8n has kept of the node. */
	context?: IDataObject;
	/** How many creates may be under way at once. */
	createsAtOnce?: number;
	maxConcurrentTasks?: number;
	/** When a person or n8n's time limit stops the execution. */
	stopAtMs?: number;
}

/** One run of the node without n8n: a clock, a service by script, and what the work needs. */
export class WorkScene {
	readonly clock: VirtualClock;
	readonly service: ScriptedService;
	readonly stop = new AbortController();
	readonly memory: Memory;
	readonly named: string[] = [];
	readonly session: Session;

	constructor({ context = {}, files = NO_FILES, ...given }: Given = {}) {
		const { toCreates = [], toReads = [], executionId = '1', isTool = false } = given;
		this.clock = given.clock ?? new VirtualClock(() => 1);
		this.memory = new Memory(this.clock);
		this.service = new ScriptedService(this.clock, [...toCreates], [...toReads]);
		const timer = new Timer(this.clock, this.stop.signal);
		this.session = {
			executionId,
			timer,
			service: this.service,
			baseUrl: given.baseUrl ?? 'https://e.com',
			gates: {
				creates: new Gate(this.clock, given.createsAtOnce ?? 10),
				reads: new Gate(this.clock, 3),
			},
			ledger: new Ledger(productionScope({ executionId, isTool }), this.memory, context),
			creating: new Creating(timer),
			places: new Semaphore(given.maxConcurrentTasks ?? 20),
			downloads: new Downloads(files, timer),
			log: { task: ({ plan }, id) => void this.named.push(`${plan.index}: ${id}`) },
			isTool,
			continues: given.continues ?? true,
			createLimitMs: given.createLimitMs,
		};
		if (given.stopAtMs !== undefined) void this.stopAt(given.stopAtMs);
	}

	/** Finishes these items, and ends the run as the node does. */
	async run(...plans: Plan[]): Promise<Finished> {
		return await finishAll(this.session, plans, 100).finally(() => {
			this.session.ledger.close();
			this.stop.abort(ENDED);
		});
	}

	/** Which prompts were sent, and after how many seconds. */
	get sent(): string {
		const sent = this.service.creates.map(
			({ request: { prompt }, atMs }) => `${prompt} at ${atMs / 1_000}`,
		);
		return sent.join(', ');
	}

	/** After how many seconds the service was asked for a task. */
	get readAt(): string {
		return this.service.reads.map(({ atMs }) => Math.round(atMs / 100) / 10).join(' ');
	}

	private async stopAt(atMs: number): Promise<void> {
		if (atMs > 0) await this.clock.sleep(atMs);
		this.stop.abort(ENDED);
	}
}
