import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { z } from 'zod';
import { Videogen } from '../../../nodes/Videogen/Videogen.node';

const README = readFileSync(path.join(__dirname, '..', '..', '..', 'README.md'), 'utf8');

const parameterSchema = z.union([z.string(), z.number(), z.boolean()]);
const workflowSchema = z.object({
	nodes: z.array(
		z.object({
			name: z.string(),
			type: z.string(),
			typeVersion: z.number(),
			parameters: z.record(parameterSchema),
		}),
	),
	connections: z.record(
		z.object({ main: z.array(z.array(z.object({ node: z.string() }).passthrough())) }),
	),
});

const [, example = ''] = /## A first workflow[^]*?```json\n([^]*?)```/.exec(README) ?? [];
const workflow = workflowSchema.parse(JSON.parse(example));
const { description } = new Videogen();

/** Names that the node does not show for these values, in this version. */
function unknownParameters(parameters: INodeParameters): string[] {
	const filled = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		{ typeVersion: 1 },
		description,
	);
	return Object.keys(parameters).filter((name) => !(name in (filled ?? {})));
}

describe("the README's first workflow", () => {
	test('uses this node with parameters that it has', () => {
		const node = workflow.nodes.find(({ type }) => type === 'n8n-nodes-videogen.videogen');
		expect(node?.typeVersion).toBe(description.version);
		expect(unknownParameters(node?.parameters ?? {})).toEqual([]);
		expect(unknownParameters({ operation: 'getTask', taskId: 'x', prompt: 'y' })).toEqual([
			'prompt',
		]);
	});

	test('connects nodes that it has', () => {
		const names = workflow.nodes.map(({ name }) => name);
		const used = Object.entries(workflow.connections).flatMap(([from, { main }]) => [
			from,
			...main.flat().map(({ node }) => node),
		]);
		expect(used.filter((name) => !names.includes(name))).toEqual([]);
		expect(used).toHaveLength(2);
	});
});
