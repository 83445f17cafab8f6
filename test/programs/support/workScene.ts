import type { IDataObject } from 'n8n-workflow';
import { Timer } from '../../../nodes/Videogen/ground/clock';
import { CreateThrottles } from '../../../nodes/Videogen/work/createThrottles';
import { Ledger } from '../../../nodes/Videogen/work/ledger';
import { Memory } from '../../../nodes/Videogen/work/memory';
import { type Item, taskIdOf } from '../../../nodes/Videogen/work/order';
import { type FilesFault, Work } from '../../../nodes/Videogen/work/work';
import { VirtualClock } from './clocks';
import { type FakeServiceOptions, FakeService } from './fakeService';
import { endOf } from './orders';

export interface SceneSettings {
	maxConcurrentTasks?: number;
	maxNewTasks?: number;
	signal?: AbortSignal;
	/** Which key it uses; runs with the same one share what is known of the service. */
	apiKey?: string;
	/** For how long a create is tried at most. */
	mostMs?: number;
	/** Under which this process remembers orders. */
	node?: string;
	/** Whether an item that has come to its end ends the run for the others too. */
	endsRun?: (item: Item) => boolean;
	/** Told of an item that has come to its end. */
	ended?: (item: Item) => void;
	/** Told of a task that was created; n8n's log may throw. */
	created?: (item: Item) => void;
	/** What is in the way of its files, at each try. */
	fetchFiles?: (item: Item) => Promise<FilesFault | undefined>;
}

/** A service and a clock of its own for one test. */
export class Scene {
	readonly clock: VirtualClock;
	readonly service: FakeService;
	readonly throttles: CreateThrottles;
	readonly memory: Memory;
	/** What n8n keeps of the node. */
	readonly context: IDataObject = {};

	/** The ids of the tasks that were told of as created, by item. */
	readonly told: string[][] = [];

	/** When it was told that creates wait, and that they do no longer. */
	readonly heldUp: Array<[number, string | undefined]> = [];

	constructor(options: FakeServiceOptions = {}, random?: () => number) {
		this.clock = new VirtualClock(random);
		this.service = new FakeService(this.clock, options);
		this.throttles = new CreateThrottles(this.clock);
		this.memory = new Memory(this.clock.now);
	}

	/** The ledger of a run of the node. */
	ledger({ node }: SceneSettings = {}): Ledger {
		const { context, memory } = this;
		return new Ledger({ context, memory, node, run: 'run 0', executionId: '1' });
	}

	/** Brings copies of these items to their ends, and gives those. */
	async run(items: Item[], settings: SceneSettings = {}): Promise<Item[]> {
		const copies = items.map((item, index) => ({
			...item,
			index,
			order: { ...item.order, item: index },
		}));
		await this.bring(copies, settings);
		return copies;
	}

	async runOne(item: Item, settings?: SceneSettings): Promise<Item> {
		const [ended] = await this.run([item], settings);
		if (ended === undefined) throw new Error('The run gave no item');
		return ended;
	}

	async bring(items: Item[], settings: SceneSettings = {}): Promise<void> {
		const { maxConcurrentTasks = 1_000, maxNewTasks = 1_000, signal, mostMs } = settings;
		const ending = new AbortController();
		const end = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
		const host = {
			...{ service: this.service, ledger: this.ledger(settings), mostMs },
			...{ timer: new Timer(this.clock, end), maxConcurrentTasks, maxNewTasks },
			onCreated: (item: Item) => {
				(this.told[item.index] ??= []).push(taskIdOf(item.order) ?? '');
				settings.created?.(item);
			},
			onUnanswered: () => undefined,
			onHeldUp: (error?: { kind: string }) =>
				void this.heldUp.push([this.clock.now(), error?.kind]),
			onEnded: (item: Item) => {
				settings.ended?.(item);
				if (settings.endsRun?.(item)) ending.abort();
			},
			fetchFiles: async (item: Item) => await settings.fetchFiles?.(item),
		};
		const connection = { baseUrl: 'https://service.test', apiKey: settings.apiKey ?? 'a key' };
		await this.throttles
			.use(connection, async (throttle) => await new Work({ ...host, throttle }).bring(items))
			.finally(() => ending.abort());
	}
}

export const endsOf = (items: Item[]): string[] => items.map(endOf);
