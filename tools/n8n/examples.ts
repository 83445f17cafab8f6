/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { DataTable } from './api';
import { NEWEST, type N8nVersion } from './versions';
import { CONNECTION_TYPES, withCredential, type Credentials, type NewWorkflow } from './workflows';

const FOLDER = path.join(__dirname, '../..', 'examples');

/** Where people put what is their own: one field each. */
const SETTINGS_NODE = 'Settings';
const connectionTypeSchema = z.enum(CONNECTION_TYPES);
const targetsSchema = z.array(
	z.array(z.object({ node: z.string(), type: connectionTypeSchema, index: z.number() })),
);

/** Strict: an export from an editor carries more, which belongs to the n8n that it came from. */
export const nodesSchema = z.array(
	z
		.object({
			id: z.string(),
			name: z.string(),
			type: z.string(),
			typeVersion: z.number(),
			position: z.tuple([z.number(), z.number()]),
			parameters: z.record(z.unknown()),
			alwaysOutputData: z.boolean().optional(),
			executeOnce: z.boolean().optional(),
			onError: z.enum(['continueRegularOutput', 'continueErrorOutput']).optional(),
			retryOnFail: z.boolean().optional(),
			maxTries: z.number().optional(),
			waitBetweenTries: z.number().optional(),
			webhookId: z.string().optional(),
		})
		.strict(),
);

const exampleSchema = z
	.object({
		name: z.string(),
		active: z.literal(false),
		nodes: nodesSchema,
		connections: z.record(z.record(connectionTypeSchema, targetsSchema)),
		settings: z.object({ executionOrder: z.literal('v1') }).strict(),
	})
	.strict();

/** The data tables as the notes tell a person to make them: by their names, the columns of each. */
export const TABLE_COLUMNS = {
	'Videogen queue': ['date', 'prompt', 'status', 'taskId', 'link', 'note'],
	'Videogen requests': ['prompt', 'status', 'taskId', 'note'],
	'Videogen bot requests': ['updateId', 'person', 'prompt'],
	'Videogen stories': ['story', 'prompt', 'follows', 'taskId', 'videoUrl'],
} as const;
export type TableName = keyof typeof TABLE_COLUMNS;

/** The same of the rows of a sheet, by the recipe that asks for it. */
export const SHEET_COLUMNS = {
	'sheet-to-drive.json': ['prompt', 'status', 'link', 'note'],
	'sheet-to-youtube-and-slack.json': ['prompt', 'title', 'description', 'status', 'link', 'note'],
} as const;

/** How a node names its table; n8n 2.0 does not find one by its name. */
export const tableSetting = ({ id, name }: DataTable, version: N8nVersion): string =>
	version === NEWEST ? name : id;

/** What an Edit Fields node sets. */
const fieldsSchema = z.object({
	assignments: z.object({
		assignments: z.array(z.object({ name: z.string(), value: z.unknown() })),
	}),
});

/** File names of all example workflows. */
export const exampleFiles = (): string[] =>
	readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.sort();

export const exampleText = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');

/** @throws ZodError when the file holds anything that an example must not. */
export const readExample = (file: string): NewWorkflow => ({
	...exampleSchema.parse(JSON.parse(exampleText(file)), { path: [file] }),
	pinData: {},
});

/** The names and values that an Edit Fields node of a workflow sets, in their order. */
export function setFieldsOf(workflow: NewWorkflow, nodeName: string): Array<[string, string]> {
	const node = workflow.nodes.find(({ name }) => name === nodeName);
	const { assignments } = fieldsSchema.parse(node?.parameters);
	return assignments.assignments.map(({ name, value }) => [name, String(value)]);
}

/**
 * What a person fills in: fields of the node *Settings*, `Node.parameter` of any other, or the table
 * that is used in place of one with this name.
 */
export type FilledIn = Readonly<Record<string, string>>;

/** The example after a person has done what its notes ask for, and nothing else. */
export function prepared(
	example: NewWorkflow,
	{ credentials, settings = {} }: { credentials: Credentials; settings?: FilledIn },
): NewWorkflow {
	const { nodes, ...rest } = withSettings(example, settings);
	return { ...rest, nodes: nodes.map((node) => withCredential(node, credentials)) };
}

/** An example with new values of those fields that it has. */
export const withSettings = (example: NewWorkflow, settings: FilledIn): NewWorkflow => ({
	...example,
	nodes: example.nodes.map((node) => {
		const settingOf = (field: string, old: unknown) =>
			(node.name === SETTINGS_NODE ? settings[field] : undefined) ??
			(field === 'dataTableId' ? settings[String(old)] : undefined) ??
			settings[`${node.name}.${field}`];
		return { ...node, parameters: filledIn(node.parameters, settingOf) };
	}),
});

/** Entries of parameters, and what is in them: collections, and the fields that a node sets. */
function filledIn(entries: object, settingOf: (field: string, old: unknown) => string | undefined) {
	const filled = (key: string, old: unknown): unknown => {
		if (Array.isArray(old)) return old.map((one) => filled('', one));
		if (typeof old !== 'object' || old === null) return settingOf(key, old) ?? old;
		if (!('value' in old)) return filledIn(old, settingOf);
		// A field that is set, or what names something at a service.
		const field = 'name' in old ? String(old.name) : key;
		return { ...old, value: settingOf(field, old.value) ?? old.value };
	};
	return Object.fromEntries(Object.entries(entries).map(([key, old]) => [key, filled(key, old)]));
}
