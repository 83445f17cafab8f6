import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type INodeParameters, type INodeProperties, NodeHelpers, deepCopy } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../../../nodes/Videogen/shared/json';
import { Videogen } from '../../../nodes/Videogen/Videogen.node';
import { exampleFiles, exampleText, nodesSchema, readExample } from '../../../tools/n8n/examples';
import { VIDEOGEN_TYPE, type NewNode } from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY } from '../../../tools/simulator';

const PROJECT = path.join(__dirname, '..', '..', '..');
const README = readFileSync(path.join(PROJECT, 'README.md'), 'utf8');
const RECIPES = readFileSync(path.join(PROJECT, 'examples', 'README.md'), 'utf8');

const { description } = new Videogen();

/** What n8n adds to a node that is a tool. */
const TOOL_FIELDS = ['descriptionType', 'toolDescription'];

const isVideogen = ({ type }: NewNode): boolean => type.startsWith(VIDEOGEN_TYPE);

/** A copy of its own parameters that n8n's helpers take for such: they come from JSON. */
function parametersOf({ type, parameters }: NewNode): INodeParameters {
	const isOwn = ([name]: [string, unknown]) =>
		type === VIDEOGEN_TYPE || !TOOL_FIELDS.includes(name);
	const own: object = Object.fromEntries(Object.entries(parameters).filter(isOwn));
	return deepCopy<INodeParameters>({ ...own });
}

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

/** Knows and shows are by n8n's own reckoning, defaults included. */
function expectKnownParameters(node: NewNode): void {
	const { properties } = description;
	const parameters = parametersOf(node);
	const plain = { ...node, credentials: undefined, parameters };
	const known =
		NodeHelpers.getNodeParameters(properties, parameters, true, false, plain, description) ?? {};
	expect(known).toMatchObject(parameters);
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...plain, parameters: known },
		description,
	);
	expect(issues).toBeNull();
	expect(notOffered(properties, parameters)).toEqual([]);
}

test('the workflow to paste in place of another node gives Videogen only what it knows', () => {
	const text = readFileSync(path.join(PROJECT, 'docs', 'coming-from-elsewhere.md'), 'utf8');
	const [, json = ''] = /```json\n([^]*?)```/.exec(text) ?? [];
	const { nodes } = z.object({ nodes: nodesSchema }).parse(JSON.parse(json));
	const videogen = nodes.filter(isVideogen);
	expect(videogen).toHaveLength(1);
	for (const node of videogen) expectKnownParameters(node);
});

describe.each(exampleFiles())('%s', (file) => {
	const { name, nodes } = readExample(file);

	test('holds no key, and no address but those of example.com and of a video on YouTube', () => {
		const text = exampleText(file);
		const hosts = [...text.matchAll(/https?:\/\/([^/"'\s]+)/g)].map(([, host]) => host);
		const known = ['example.com', 'www.youtube.com'];
		expect(hosts.filter((host) => !known.includes(host ?? ''))).toEqual([]);
		expect(text).not.toContain(DEFAULT_API_KEY);
		expect(text).not.toMatch(/localhost|\b(127|10|192\.168)\.\d|apiKey|Bearer\s|sk-/i);
	});

	test('gives the Videogen node only parameters and values that it knows', () => {
		for (const node of nodes.filter(isVideogen)) expectKnownParameters(node);
	});

	test('is in the README, and in that of the recipes by its name', () => {
		expect(README).toContain(`(examples/${file})`);
		expect(RECIPES).toContain(`\n## ${name}\n`);
		expect(RECIPES).toContain(`[${file}](${file})`);
	});

	test("has a text that fits n8n.io's form: the picture first, and at most 300 words", () => {
		const [, text = ''] = RECIPES.split(`\n## ${name}\n`);
		const [section = ''] = text.split('\n## ');
		const picture = `../docs/images/recipes/${file.replace('.json', '.png')}`;
		expect(section.trim().split('\n')[0]).toContain(`](${picture})`);
		expect(section.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length).toBeLessThan(
			301,
		);
	});
});
