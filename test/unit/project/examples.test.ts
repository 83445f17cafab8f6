/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { z } from 'zod';
import { Videogen } from '../../../nodes/Videogen/Videogen.node';
import {
	TABLE_COLUMNS,
	exampleFiles,
	exampleText,
	setFieldsOf,
	nodesSchema,
	readExample,
} from '../../../tools/n8n/examples';
import { VIDEOGEN_TYPE, type NewNode, type NewWorkflow } from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY } from '../../../tools/simulator';

const PROJECT = path.join(__dirname, '..', '..', '..');
const README = readFileSync(path.join(PROJECT, 'README.md'), 'utf8');
const RECIPES = readFileSync(path.join(PROJECT, 'examples', 'README.md'), 'utf8');
const TEMPLATES = path.join(PROJECT, 'examples', 'templates');

const { description } = new Videogen();

const intervalSchema = z.object({
	field: z.enum(['minutes', 'hours', 'days']).default('days'),
	minutesInterval: z.number().optional(),
});
const scheduleSchema = z.object({ rule: z.object({ interval: z.tuple([intervalSchema]) }) });

/** How many videos a schedule creates in a day at most: what a run takes, so many times. */
function videosADay(workflow: NewWorkflow): number | undefined {
	const schedule = workflow.nodes.find(({ type }) => type.endsWith('.scheduleTrigger'));
	if (schedule === undefined) return undefined;
	const [{ field, minutesInterval }] = scheduleSchema.parse(schedule.parameters).rule.interval;
	const runs = { minutes: (24 * 60) / Number(minutesInterval), hours: 24, days: 1 };
	const { rowsPerRun = 1, prompts } = Object.fromEntries(setFieldsOf(workflow, 'Settings'));
	const inOneRun = prompts ? z.array(z.string()).parse(JSON.parse(prompts)).length : rowsPerRun;
	return runs[field] * Number(inOneRun);
}

/** What n8n adds to a node that is a tool. */
const TOOL_FIELDS = ['descriptionType', 'toolDescription'];

const isVideogen = ({ type }: NewNode): boolean => type.startsWith(VIDEOGEN_TYPE);

/** Knows and shows are by n8n's own reckoning, defaults included. */
function expectKnownParameters(node: NewNode): void {
	const { properties } = description;
	const isOwn = (name: string) => node.type === VIDEOGEN_TYPE || !TOOL_FIELDS.includes(name);
	const own = Object.entries(node.parameters).filter(([name]) => isOwn(name));
	// Parameters come from JSON, as n8n's helpers want them.
	const parameters: INodeParameters = JSON.parse(JSON.stringify(Object.fromEntries(own)));
	const plain = { ...node, credentials: undefined, parameters };
	const known =
		NodeHelpers.getNodeParameters(properties, parameters, true, false, plain, description) ?? {};
	expect(known).toMatchObject(parameters);
	const complete = { ...plain, parameters: known };
	expect(NodeHelpers.getNodeParametersIssues(properties, complete, description)).toBeNull();
	// Values of menus, which n8n does not compare.
	for (const { name, type, options } of properties) {
		const value = parameters[name];
		if (type !== 'options' || value === undefined || String(value).startsWith('=')) continue;
		expect(options).toContainEqual(expect.objectContaining({ value }));
	}
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
	const workflow = readExample(file);
	const { name, nodes } = workflow;
	const page = readFileSync(path.join(TEMPLATES, file.replace('.json', '.md')), 'utf8');
	const notes = nodes
		.filter(({ type }) => type.endsWith('.stickyNote'))
		.map(({ parameters }) => String(parameters.content));

	test('holds no key, and no address but those of example.com and of a video on YouTube', () => {
		const text = exampleText(file);
		const hosts = [...text.matchAll(/https?:\/\/([^/"'\s]+)/g)].map(([, host]) => host);
		const known = ['example.com', 'www.youtube.com'];
		expect(hosts.filter((host) => !known.includes(host ?? ''))).toEqual([]);
		expect(text).not.toContain(DEFAULT_API_KEY);
		expect(text).not.toMatch(/localhost|\b(127|10|192\.168)\.\d|apiKey|Bearer\s|sk-/i);
	});

	test('gives the Videogen Tasks node only parameters and values that it knows', () => {
		for (const node of nodes.filter(isVideogen)) expectKnownParameters(node);
	});

	test('says first that n8n may have chosen a live credential', () => {
		expect(notes[0]).toContain('even your live one: open each Videogen Tasks node');
	});

	test('names the tables of its nodes in the notes, with their columns', () => {
		for (const { parameters } of nodes.filter(({ type }) => type.endsWith('.dataTable'))) {
			const { value } = z.object({ value: z.string() }).parse(parameters.dataTableId);
			const columns = Object.entries(TABLE_COLUMNS).find(([table]) => table === value)?.[1] ?? [];
			expect(columns.length).toBeGreaterThan(0);
			for (const word of [value, ...columns]) expect(notes[1]).toContain(`\`${word}\``);
		}
	});

	test('says how many videos a day its schedule pays for, on the canvas and on its page', () => {
		const count = videosADay(workflow);
		if (count === undefined) return;
		for (const text of [notes[2], page]) {
			expect(text?.replace(/\s+/g, ' ')).toContain(`${count} videos a day`);
		}
	});

	test("has one name: in its file, in both READMEs, and in its text for n8n.io's form", () => {
		expect(`${name.toLowerCase().replaceAll(' ', '-')}.json`).toBe(file);
		expect(README).toContain(`(examples/${file})`);
		expect(page).toContain(file.replace('.json', '.png'));
		expect(RECIPES).toMatch(new RegExp(`\\| \\*\\*${name}\\*\\* .*\\[${file}\\]\\(${file}\\)`));
	});
});
