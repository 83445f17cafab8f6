import { Timer } from '../../nodes/Videogen/shared/clock';
import type { Answer, Service } from '../../nodes/Videogen/service/types';
import type { GenerationRequest } from '../../nodes/Videogen/service/contract/request';
import { asTask } from '../../nodes/Videogen/service/task';
import { Gates } from '../../nodes/Videogen/work/gate';
import { Ledger } from '../../nodes/Videogen/work/ledger';
import { Memory } from '../../nodes/Videogen/work/memory';
import type { Item, Wish } from '../../nodes/Videogen/work/order';
import { Work } from '../../nodes/Videogen/work/work';
import { VirtualClock } from '../virtualClock';

const PLENTY = 1_000;

/** How the played service makes its tasks. */
export interface Played {
	/** How long a task takes, by the prompt that asked for it. */
	durationMs(prompt: string): number;
	/** What its record says of how far it is, from the share of its time that has passed. */
	percent?(share: number): number | undefined;
	/** How long an answer takes. */
	latencyMs?: number;
	/** How many unfinished tasks it has at most; beyond that, it asks to wait for a second. */
	maxUnfinished?: number;
}

const wishOf = (prompt: string): Wish => ({
	request: { model: 'videogen-2.5-text-to-video', prompt, duration: 5 },
	...{ keyText: '', requestHash: prompt, fieldsHash: prompt, parametersHash: '' },
	...{ mayReuse: true, mayResend: false },
	keyFor: (count) => `${prompt}/${count}`,
	toSend: async (saved) => saved,
});

interface PlayedTask {
	id: string;
	createdMs: number;
	finalMs: number;
}

/** A service in virtual time, which notes when it was asked for what. */
class PlayedService implements Service {
	readonly tasks: PlayedTask[] = [];
	readonly reads: Array<{ taskId: string; atMs: number }> = [];
	creates = 0;

	constructor(
		private readonly clock: VirtualClock,
		private readonly played: Played,
	) {}

	async create({ prompt }: GenerationRequest): Promise<Answer> {
		const { durationMs, latencyMs = 0, maxUnfinished = Infinity } = this.played;
		this.creates += 1;
		await this.clock.sleep(latencyMs);
		const now = this.clock.now();
		if (this.tasks.filter(({ finalMs }) => finalMs > now).length >= maxUnfinished) {
			const error = { kind: 'status', status: 429, isJson: true } as const;
			return { kind: 'error', error: { ...error, retryAfterMs: 1_000 } };
		}
		const id = `task ${this.tasks.length}`;
		const task = { id, createdMs: now, finalMs: now + durationMs(prompt) };
		this.tasks.push(task);
		return this.recordOf(task);
	}

	async read(taskId: string): Promise<Answer> {
		const task = this.tasks.find(({ id }) => id === taskId);
		if (task === undefined) throw new Error(`There is no ${taskId}`);
		this.reads.push({ taskId, atMs: this.clock.now() });
		await this.clock.sleep(this.played.latencyMs ?? 0);
		return this.recordOf(task);
	}

	private recordOf({ id, createdMs, finalMs }: PlayedTask): Answer {
		const share = (this.clock.now() - createdMs) / (finalMs - createdMs);
		const isOver = share >= 1;
		const task = asTask({
			...{ id, status: isOver ? 'completed' : 'processing' },
			progress: isOver ? 100 : this.played.percent?.(share),
			...(isOver && { results: ['https://e.com/1.mp4'] }),
		});
		if (task === undefined) throw new Error('A record is no record');
		return { kind: 'task', task };
	}
}

/** Runs of the node's work against a played service, in one n8n process. */
export class PlayedWork {
	readonly clock: VirtualClock;
	readonly service: PlayedService;
	private readonly gates: Gates;
	private readonly memory: Memory;

	constructor(played: Played, random: () => number) {
		this.clock = new VirtualClock(random);
		this.service = new PlayedService(this.clock, played);
		this.gates = new Gates(this.clock);
		this.memory = new Memory(this.clock.now);
	}

	/** One execution with an item for each prompt. @param apiKey Runs with the same one share gates. */
	async run(prompts: string[], intervalMs: number, apiKey = 'a key'): Promise<void> {
		const { clock, gates, memory, service } = this;
		const executionId = `of ${prompts.join(', ')}`;
		const ending = new AbortController();
		const timer = new Timer(clock, ending.signal);
		const scope = { context: {}, memory, executionId, run: 0, isTool: false, isManual: false };
		const ledger = new Ledger({ ...scope, node: 'node' });
		const { creates, reads } = gates.of({ baseUrl: 'https://service.test', apiKey });
		const wait = { intervalMs, timeoutMs: 3_600_000 };
		const items: Item[] = prompts.map((prompt, index) => ({
			index,
			simplify: true,
			wait,
			wish: wishOf(prompt),
		}));
		ledger.begin(items, { max: PLENTY, isAdded: true });
		const host = {
			...{ service, baseUrl: '', gate: creates, reads, ledger, executionId, timer },
			...{ isTool: false, maxConcurrentTasks: PLENTY },
			fetchFiles: async () => ({ files: [] }),
			onTask: () => undefined,
			onFailure: () => undefined,
		};
		await new Work(host).bring(items).finally(() => ending.abort());
	}
}
