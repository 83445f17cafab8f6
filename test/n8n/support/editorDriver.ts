/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { isDeepStrictEqual } from 'node:util';
import type { Execution, SavedWorkflow } from '../../../tools/n8n/api';
import type { ChainNode, NewNode } from '../../../tools/n8n/workflows';
import type { Suite } from './suite';

/** A workflow in n8n, with which a person works in the editor. */
export class EditorDriver {
	private changed: string[] = [];

	constructor(
		protected readonly n8n: Suite,
		public saved: SavedWorkflow,
	) {}

	/** Presses *Execute workflow*. */
	async execute(ends?: Execution['status'], trigger?: string): Promise<Execution> {
		this.changed = [];
		return await this.n8n.ended(
			await this.n8n.api.runWorkflow(this.saved, undefined, trigger),
			ends,
		);
	}

	/** Saves another node in the place of one. */
	async change(changed: ChainNode): Promise<void> {
		const replaced = (node: NewNode) =>
			node.name === changed.name ? { ...node, ...changed } : node;
		await this.save(this.saved.nodes.map(replaced));
	}

	/** Saves other nodes. */
	protected async save(nodes: NewNode[]): Promise<void> {
		const before = new Map(this.saved.nodes.map((node) => [node.name, node.parameters]));
		const changed = nodes.filter(
			({ name, parameters }) => !isDeepStrictEqual(parameters, before.get(name)),
		);
		if (changed.length === 0) throw new Error('Nothing has changed');
		this.changed.push(...changed.map(({ name }) => name));
		this.saved = await this.n8n.api.updateNodes({ ...this.saved, nodes });
	}

	/** Presses *Execute step* in a node, after an execution. */
	async step(node: string, after: Execution): Promise<Execution> {
		return await this.n8n.ended(await this.n8n.api.runStep(this.saved, after, node, this.changed));
	}
}
