import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers, deepCopy } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../../nodes/Videogen/common/json';
import { Videogen } from '../../nodes/Videogen/Videogen.node';
import { exampleFiles, exampleText, nodesSchema, readExample } from '../n8n/examples';
import { VIDEOGEN_TYPE, type NewNode } from '../n8n/workflows';
import { DEFAULT_API_KEY } from '../simulator';

const workflowSchema = z.object({ nodes: nodesSchema });
const README = readFileSync(path.join(__dirname, '..', '..', 'README.md'), 'utf8');
const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
/** What the oldest supported n8n has, with the newest version of each that it knows. */
const STOCK_NODES: Readonly<Record<string, number>> = {
	'n8n-nodes-base.aggregate': 1,
	'n8n-nodes-base.dataTable': 1,
	'n8n-nodes-base.emailSend': 2.1,
	'n8n-nodes-base.executeWorkflowTrigger': 1.1,
	'n8n-nodes-base.filter': 2.3,
	'n8n-nodes-base.form': 2.3,
	'n8n-nodes-base.formTrigger': 2.3,
	'n8n-nodes-base.httpRequest': 4.3,
	'n8n-nodes-base.if': 2.3,
	'n8n-nodes-base.manualTrigger': 1,
	'n8n-nodes-base.merge': 3.2,
	'n8n-nodes-base.readWriteFile': 1,
	'n8n-nodes-base.s3': 1,
	'n8n-nodes-base.scheduleTrigger': 1.3,
	'n8n-nodes-base.set': 3.4,
	'n8n-nodes-base.splitOut': 1,
	[STICKY_NOTE]: 1,
	'n8n-nodes-base.switch': 3.4,
	'n8n-nodes-base.wait': 1.1,
	'@n8n/n8n-nodes-langchain.agent': 3,
	'@n8n/n8n-nodes-langchain.chatTrigger': 1.4,
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 1.3,
	'@n8n/n8n-nodes-langchain.mcpTrigger': 2,
	'@n8n/n8n-nodes-langchain.memoryBufferWindow': 1.3,
	'@n8n/n8n-nodes-langchain.toolWorkflow': 2.2,
	[VIDEOGEN_TYPE]: 1,
	[`${VIDEOGEN_TYPE}Tool`]: 1,
};
/** What n8n adds to a node that is a tool. */
const TOOL_FIELDS = ['descriptionType', 'toolDescription'];

const { description } = new Videogen();

const isVideogen = ({ type }: NewNode): boolean => type.startsWith(VIDEOGEN_TYPE);
/** With a copy that n8n's helpers take for parameters: they come from JSON. */
function asNode(node: NewNode): INode {
	const isOwn = ([name]: [string, unknown]) =>
		node.type === VIDEOGEN_TYPE || !TOOL_FIELDS.includes(name);
	const given: object = Object.fromEntries(Object.entries(node.parameters).filter(isOwn));
	const parameters = deepCopy<INodeParameters>({ ...given });
	return { ...node, credentials: undefined, parameters };
}

/** The parameters that the node knows and shows, by n8n's own reckoning, defaults included. */
const knownParameters = (node: INode): INodeParameters =>
	NodeHelpers.getNodeParameters(
		description.properties,
		node.parameters,
		true,
		false,
		node,
		description,
	) ?? {};
const issuesOf = (node: INode) => {
	const parameters = knownParameters(node);
	return NodeHelpers.getNodeParametersIssues(
		description.properties,
		{ ...node, parameters },
		description,
	);
};

/** Fixed values of menus, also of those in collections, that are not among their entries. */
const notOffered = (
	properties: INodeProperties[],
	parameters: Record<string, unknown>,
): unknown[] =>
	properties.flatMap(({ name, type, options = [] }): unknown[] => {
		const value = parameters[name];
		if (type === 'collection' && isJsonObject(value)) {
			return notOffered(
				options.flatMap((option) => ('type' in option ? [option] : [])),
				value,
			);
		}
		if (type !== 'options' || value === undefined || String(value).startsWith('=')) return [];
		return options.some((option) => 'value' in option && option.value === value) ? [] : [value];
	});

function expectKnownParameters(node: NewNode): void {
	const { parameters } = asNode(node);
	expect(knownParameters(asNode(node))).toMatchObject(parameters);
	expect(issuesOf(asNode(node))).toBeNull();
	expect(notOffered(description.properties, parameters)).toEqual([]);
}

test.each([
	['a name that does not exist', { prompt: 'A fox', promt: 'A fox' }],
	['a field of another operation', { operation: 'getTask', taskId: 'a', imageUrls: 'b' }],
	['a required field that is empty', {}],
	['a value that a menu does not offer', { prompt: 'A fox', quality: '4k' }],
])('the check of parameters finds %s', (_what, parameters) => {
	const rest = { id: '1', name: 'Node', type: VIDEOGEN_TYPE, typeVersion: 1 };
	expect(() => expectKnownParameters({ ...rest, position: [0, 0], parameters })).toThrow();
});

test('there are examples', () => {
	expect(exampleFiles().length).toBeGreaterThanOrEqual(6);
});

test("the README's workflows give the Videogen node only parameters that it knows", () => {
	const blocks = [...README.matchAll(/```json\n([^]*?)```/g)].map(([, json = '']) => json);
	const workflows = blocks.filter((json) => json.includes('"connections"'));
	expect(workflows).not.toHaveLength(0);
	for (const workflow of workflows) {
		const { nodes } = workflowSchema.parse(JSON.parse(workflow));
		expect(nodes.filter(isVideogen)).not.toHaveLength(0);
		for (const node of nodes.filter(isVideogen)) expectKnownParameters(node);
	}
});

describe.each(exampleFiles())('%s', (file) => {
	const { name, nodes, connections } = readExample(file);
	const names = nodes.map((node) => node.name);
	const notes = nodes.filter(({ type }) => type === STICKY_NOTE);

	test('says in notes what it does, what to change and what costs money', () => {
		const texts = notes.map(({ parameters }) => String(parameters.content));
		for (const heading of ['What this does', 'What to change', 'What costs money']) {
			expect(texts).toContainEqual(expect.stringContaining(`## ${heading}\n`));
		}
	});

	test('names nodes in its notes and expressions that exist', () => {
		const text = JSON.stringify(nodes.map(({ parameters }) => parameters));
		const inExpressions = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, node]) => node);
		expect(names).toEqual(expect.arrayContaining(inExpressions));
		expect(new Set(names).size).toBe(names.length);
	});

	test('connects nodes that exist, and leaves none out', () => {
		const targets = Object.values(connections)
			.flatMap((outputs) => Object.values(outputs))
			.flat(2)
			.map(({ node }) => node);
		const connected = new Set([...Object.keys(connections), ...targets]);
		const withoutNotes = nodes.filter(({ type }) => type !== STICKY_NOTE);
		expect([...connected].sort()).toEqual(withoutNotes.map((node) => node.name).sort());
	});

	test('uses only nodes of the oldest n8n and the Videogen node', () => {
		for (const { type, typeVersion } of nodes) {
			expect(STOCK_NODES).toHaveProperty([type]);
			expect(typeVersion).toBeLessThanOrEqual(STOCK_NODES[type] ?? 0);
		}
		expect(nodes.some(isVideogen)).toBe(true);
	});

	test('holds no key and no address but those of example.com', () => {
		const text = exampleText(file);
		const hosts = [...text.matchAll(/https?:\/\/([^/"'\s]+)/g)].map(([, host]) => host);
		expect(hosts.filter((host) => host !== 'example.com')).toEqual([]);
		expect(text).not.toContain(DEFAULT_API_KEY);
		expect(text).not.toMatch(/localhost|\b(127|10|192\.168)\.\d|apiKey|Bearer\s|sk-/i);
	});

	test('gives the Videogen node only parameters and values that it knows', () => {
		for (const node of nodes.filter(isVideogen)) expectKnownParameters(node);
	});

	test('is in the README', () => {
		expect(README.includes(`[${file}](examples/${file})`)).toBe(true);
		expect(name).toMatch(/^Videogen: /);
	});
});
