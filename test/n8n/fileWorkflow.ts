import {
	TRIGGER_NODE,
	VIDEOGEN_NODE,
	to,
	triggerNode,
	videogenNode,
	type NewNode,
	type NewWorkflow,
	type VideogenWorkflow,
} from './workflows';

/**
 * What an earlier node makes a file of, by the binary field that it goes to: the address to fetch
 * it from, or its bytes. Only one with bytes: n8n's node for that drops the other fields.
 */
export type FileSources = Readonly<Record<string, string | Buffer>>;

export interface FileWorkflow extends VideogenWorkflow {
	files: FileSources;
}

/** What fetches a file into a binary field. */
export const fetchOf = (field: string, url: string) => ({
	name: `Fetch ${field}`,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		url,
		options: { response: { response: { responseFormat: 'file', outputPropertyName: field } } },
	},
});

const fetchNode = (field: string, url: string, index: number): NewNode => ({
	...fetchOf(field, url),
	id: `file-${index}`,
	position: [130 * (index + 1), 0],
});

const makeNode = (field: string, index: number): NewNode => ({
	id: `file-${index}`,
	name: `Make ${field}`,
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	position: [130 * (index + 1), 0],
	parameters: {
		operation: 'toBinary',
		sourceProperty: field,
		binaryPropertyName: field,
		options: { fileName: `${field}.png`, mimeType: 'image/png' },
	},
});

/** Manual trigger → a node for each file → Videogen: one item with all the files. */
export function fileWorkflow({ files, ...wanted }: FileWorkflow): NewWorkflow {
	const sources = Object.entries(files);
	const fetches = sources.map(([field, source], index) =>
		typeof source === 'string' ? fetchNode(field, source, index) : makeNode(field, index),
	);
	const made = sources.filter((entry): entry is [string, Buffer] => typeof entry[1] !== 'string');
	const json = Object.fromEntries(made.map(([field, bytes]) => [field, bytes.toString('base64')]));
	const nodes = [triggerNode(), ...fetches, videogenNode(wanted)];
	return {
		name: wanted.name,
		active: false,
		nodes,
		connections: oneAfterTheOther([
			TRIGGER_NODE,
			...fetches.map(({ name }) => name),
			VIDEOGEN_NODE,
		]),
		pinData: { [TRIGGER_NODE]: [{ json }] },
		settings: { executionOrder: 'v1' },
	};
}

/** Connects nodes in the order of their names. */
export const oneAfterTheOther = (names: string[]): NewWorkflow['connections'] =>
	Object.fromEntries(names.slice(1).map((next, index) => [names[index], { main: [to(next)] }]));
