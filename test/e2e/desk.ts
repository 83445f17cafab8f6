import { isDeepStrictEqual } from 'node:util';
import type { Execution, SavedWorkflow } from '../programs/realN8n/api';
import type { Suite } from './beds/suite';

type Nodes = SavedWorkflow['nodes'];

/** A workflow in n8n, with which a person works in the editor. */
export class Desk {
	private changed: string[] = [];

	constructor(
		protected readonly n8n: Suite,
		public saved: SavedWorkflow,
	) {}

	/** Presses *Execute workflow*; gives the ID of the execution. */
	async start(trigger?: string): Promise<string> {
		this.changed = [];
		return await this.n8n.api.runWorkflow(this.saved, undefined, trigger);
	}

	/** The same until the end. */
	async execute(ends?: Execution['status'], trigger?: string): Promise<Execution> {
		return await this.n8n.ended(await this.start(trigger), ends);
	}

	/** Saves other nodes. */
	async save(nodes: Nodes): Promise<void> {
		const before = new Map(this.saved.nodes.map((node) => [node.name, node.parameters]));
		const isChanged = ({ name, parameters }: Nodes[number]) =>
			!isDeepStrictEqual(parameters, before.get(name));
		this.changed.push(...nodes.filter(isChanged).map(({ name }) => name));
		if (this.changed.length === 0) throw new Error('Nothing has changed');
		this.saved = await this.n8n.api.updateNodes({ ...this.saved, nodes });
	}

	/** Presses *Execute step* in a node, after an execution. */
	async step(node: string, after: Execution, ends?: Execution['status']): Promise<Execution> {
		return await this.n8n.ended(await this.startStep(node, after), ends);
	}

	/** The same for one that does not end by itself; gives the ID of the execution. */
	async startStep(node: string, after: Execution): Promise<string> {
		return await this.n8n.api.runStep(this.saved, after, node, this.changed);
	}
}
