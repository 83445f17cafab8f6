import { runInNewContext } from 'node:vm';
import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { z } from 'zod';
import { operations } from '../../nodes/Videogen/fields';
import type { Operation } from '../../nodes/Videogen/fields/operation';
import { createOptions, runOptions } from '../../nodes/Videogen/fields/options';
import { requestSchemas } from '../../nodes/Videogen/service/contract/request';
import { Videogen } from '../../nodes/Videogen/Videogen.node';

const { description } = new Videogen();

const entriesOf = (collection: INodeProperties): INodeProperties[] =>
	(collection.options ?? []).map((entry) => {
		if (!('displayName' in entry) || !('type' in entry)) throw new Error(`${entry.name} is odd`);
		return entry;
	});

const isShown = (field: INodeProperties, values: INodeParameters, root = values): boolean =>
	NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, description, root);

/** Type, default and choices of a field: what saved workflows rely on. */
function interfaceOf(field: INodeProperties): string {
	const { type, default: value, required, options = [] } = field;
	const choices = options.flatMap((option) => ('value' in option ? [option.value] : []));
	return [
		type,
		JSON.stringify(value),
		...(required ? ['required'] : []),
		...(choices.length > 0 ? [`of ${choices.join(', ')}`] : []),
	].join(' ');
}

/** What the editor shows for these values, entries of collections included, notices aside. */
function interfaceFor(values: INodeParameters): Record<string, string> {
	const shown = description.properties
		.filter((field) => field.type !== 'notice' && isShown(field, values))
		.flatMap((field) => [
			[field.name, interfaceOf(field)],
			...(field.type === 'collection' ? entriesOf(field) : [])
				.filter((entry) => isShown(entry, {}, values))
				.map((entry) => [`${field.name}.${entry.name}`, interfaceOf(entry)]),
		]);
	expect(new Set(shown.map(([name]) => name)).size).toBe(shown.length);
	return Object.fromEntries(shown);
}

const OPERATION = {
	operation:
		'options "createTextVideo" of createTextVideo, createImageVideo, createReferenceVideo, getTask',
};
const CREATE = {
	...OPERATION,
	simplify: 'boolean true',
	prompt: 'string "" required',
	duration: 'number 5',
	quality: 'options "720p" of 720p, 480p',
	aspectRatio: 'options "adaptive" of adaptive, 16:9, 9:16, 1:1, 4:3, 3:4, 21:9',
	waitForCompletion: 'boolean true',
	options: 'collection {}',
	'options.callbackUrl': 'string ""',
	'options.contentFilter': 'boolean true',
	'options.generateAudio': 'boolean true',
	'options.maxConcurrentTasks': 'number 20',
	'options.maxNewTasks': 'number 100',
	'options.modelFamily': 'string ""',
	'options.orderKey': 'string ""',
	'options.resendAfterNoReply': 'boolean false',
	'options.reuseInEditor': 'boolean true',
};
const TEXT = {
	...CREATE,
	'options.modelParams': 'json "{}"',
	'options.webSearch': 'boolean false',
};
const IMAGE = { ...CREATE, imageSource: 'options "url" of url, binary' };
const IMAGE_BY_URL = {
	...IMAGE,
	firstFrameUrl: 'string "" required',
	lastFrameUrl: 'string ""',
};
const IMAGE_BY_FILE = {
	...IMAGE,
	firstFrameBinaryProperty: 'string "data" required',
	lastFrameBinaryProperty: 'string ""',
};
const REFERENCE = {
	...CREATE,
	imageUrls: 'string ""',
	videoUrls: 'string ""',
	audioUrls: 'string ""',
	referenceBinaryProperties: 'string ""',
};
const GET = {
	...OPERATION,
	taskId: 'string "" required',
	waitForCompletion: 'boolean false',
	simplify: 'boolean true',
	options: 'collection {}',
};
const WAIT = {
	'options.onFailure': 'options "error" of error, returnTask',
	'options.onTimeout': 'options "error" of error, returnTask',
	'options.pollIntervalSeconds': 'number 5',
	'options.streamProgress': 'boolean true',
	'options.timeoutMinutes': 'number 60',
};
const DOWNLOAD = { downloadResults: 'boolean true' };
const DOWNLOAD_TASK = { downloadResults: 'boolean true' };
const INTO = { 'options.binaryPropertyOutput': 'string "data"' };

test('the node has the names that saved workflows hold', () => {
	expect(description).toMatchObject({
		name: 'videogen',
		version: 1,
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'videogenApi', required: true }],
	});
});

describe('the fields', () => {
	test.each<[INodeParameters, Record<string, string>]>([
		[{ operation: 'createTextVideo' }, TEXT],
		[{ operation: 'createImageVideo', imageSource: 'url' }, IMAGE_BY_URL],
		[{ operation: 'createImageVideo', imageSource: 'binary' }, IMAGE_BY_FILE],
		[{ operation: 'createReferenceVideo' }, REFERENCE],
	])('of %j are its own, and more while it waits', (values, fields) => {
		const shownWith = (more: INodeParameters) =>
			interfaceFor({ ...values, options: {}, downloadResults: true, ...more });
		expect(shownWith({ waitForCompletion: false })).toEqual(fields);
		const whileWaiting = { ...fields, ...WAIT, ...DOWNLOAD };
		const notDownloading = { waitForCompletion: true, downloadResults: false };
		expect(shownWith(notDownloading)).toEqual(whileWaiting);
		expect(shownWith({ waitForCompletion: true })).toEqual({ ...whileWaiting, ...INTO });
	});

	test('of Get Task offer the download whether it waits or not', () => {
		const shownWith = (more: INodeParameters) => interfaceFor({ operation: 'getTask', ...more });
		expect(shownWith({ waitForCompletion: false })).toEqual({ ...GET, ...DOWNLOAD_TASK });
		expect(shownWith({ waitForCompletion: true })).toEqual({ ...GET, ...WAIT, ...DOWNLOAD_TASK });
		const downloading = { waitForCompletion: false, downloadResults: true };
		expect(shownWith(downloading)).toEqual({ ...GET, ...DOWNLOAD_TASK, ...INTO });
	});

	test('that all creates have stand there once, so that a change keeps their values', () => {
		const options = description.properties.filter(({ name }) => name === 'options');
		const names = [
			...['duration', 'quality', 'aspectRatio', 'simplify', 'options'],
			...createOptions.map(({ name }) => name),
		];
		const shownFor = ({ value: operation }: Operation) => {
			const values = { operation, waitForCompletion: true, downloadResults: true };
			const fields = description.properties.filter((field) => isShown(field, values));
			const entries = options.flatMap(entriesOf).filter((entry) => isShown(entry, {}, values));
			return [...fields, ...entries].filter(({ name }) => names.includes(name));
		};
		const shown = operations.slice(0, 3).map(shownFor);
		expect(shown.map(({ length }) => length)).toEqual([1, 2, 3].map(() => names.length));
		expect(new Set(shown.flat()).size).toBe(names.length);
		// The editor empties a collection whose condition names what changed.
		expect(options[0]?.displayOptions).toBeUndefined();
	});

	test('keep the field of the file when a create becomes Get Task, or Get Task a create', () => {
		const kept = (values: INodeParameters) =>
			NodeHelpers.getNodeParameters(
				description.properties,
				{ options: { binaryPropertyOutput: 'clip' }, ...values },
				true,
				false,
				null,
				description,
			)?.options;
		const results = ['createTextVideo', 'getTask'].map((operation) =>
			kept({ operation, downloadResults: true, waitForCompletion: true }),
		);
		expect(results).toEqual([{ binaryPropertyOutput: 'clip' }, { binaryPropertyOutput: 'clip' }]);
	});

	test.each([
		['text-to-video', TEXT],
		['image-to-video', { ...IMAGE_BY_URL, imageUrls: 'a field for each frame' }],
		['reference-to-video', REFERENCE],
	] as const)('are there for each property of %s in the contract', (workflow, fields) => {
		const schema = requestSchemas[workflow];
		const { shape } = schema instanceof z.ZodEffects ? schema.innerType() : schema;
		const names = Object.keys(fields).map((name) => name.replace('options.', ''));
		const missing = Object.keys(shape).filter((property) => {
			const inCamel = property.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
			return !names.includes(inCamel);
		});
		// The model comes from the credential.
		expect(missing).toEqual(['model']);
	});

	test('of Options that decide no video do not make it another request for a retry', () => {
		const deciding = createOptions.filter((option) => !runOptions.includes(option));
		const names = deciding.map(({ name }) => name);
		expect(names.sort()).toEqual(['contentFilter', 'generateAudio', 'modelFamily']);
	});

	test('warn of the surcharge as soon as the filter is off, and only then', () => {
		const noticesFor = (contentFilter: boolean | undefined) =>
			description.properties.filter(
				(field) =>
					field.type === 'notice' &&
					isShown(field, { operation: 'createImageVideo', options: { contentFilter } }),
			);
		expect(noticesFor(false).map(({ displayName }) => displayName)).toEqual([
			expect.stringContaining('surcharge'),
		]);
		expect(noticesFor(true)).toEqual([]);
		expect(noticesFor(undefined)).toEqual([]);
	});
});

/** What an expression of the editor comes to. */
function valueOf(expression: string, variables: Record<string, unknown>): unknown {
	const [, code] = /^=\{\{(.*)\}\}$/s.exec(expression) ?? [];
	if (code === undefined) throw new Error(`${expression} is no expression`);
	return runInNewContext(code, variables);
}

test.each(operations.map(({ value, name }) => [value, name]))(
	'on the canvas, %s stands under the node as %s',
	(operation, name) => {
		const variables = { $parameter: { operation } };
		expect(valueOf(description.subtitle ?? '', variables)).toBe(name);
	},
);

describe('the hint before many items', () => {
	const hint = description.hints?.[0];

	test('says what it costs, at the input, before the run', () => {
		expect(hint).toMatchObject({ location: 'inputPane', whenToDisplay: 'beforeExecution' });
		expect(hint?.message).toContain('each video is paid');
	});

	test.each([
		[11, 'createTextVideo', true],
		[10, 'createTextVideo', false],
		[11, 'createReferenceVideo', true],
		[11, 'getTask', false],
	])('%i items of %s make it %j', (count, operation, shown) => {
		const $input = { all: () => Array.from({ length: count }) };
		const variables = { $parameter: { operation }, $input };
		expect(valueOf(hint?.displayCondition ?? '', variables)).toBe(shown);
	});
});

test('the editor rounds and clamps no number that is typed', () => {
	const fields = description.properties.flatMap((field) => [
		field,
		...(field.type === 'collection' ? entriesOf(field) : []),
	]);
	const numbers = fields.filter(({ type }) => type === 'number');
	expect(numbers.length).toBeGreaterThan(4);
	expect(numbers.filter(({ typeOptions }) => typeOptions !== undefined)).toEqual([]);
});
