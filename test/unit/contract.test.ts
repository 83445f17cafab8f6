import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import type { ZodType } from 'zod';
import {
	ASPECT_RATIOS,
	CREATE_PATH,
	DEFAULT_ASPECT_RATIO,
	DEFAULT_CONTENT_FILTER,
	DEFAULT_GENERATE_AUDIO,
	DEFAULT_MODEL_FAMILY,
	DEFAULT_QUALITY,
	DEFAULT_WEB_SEARCH,
	DURATION_SECONDS,
	modelOf,
	QUALITIES,
	TASKS_PATH,
	TASK_STATUSES,
	WORKFLOWS,
} from '../../nodes/Videogen/contract/limits';
import {
	imageVideoRequestSchema,
	referenceVideoRequestSchema,
	textVideoRequestSchema,
} from '../../nodes/Videogen/contract/request';
import { taskRecordSchema } from '../../nodes/Videogen/contract/task';
import { MAX_CONCURRENT_TASKS } from '../../nodes/Videogen/input/generation';
import { LABELS } from '../../nodes/Videogen/input/labels';
import {
	POLL_INTERVAL_SECONDS,
	TIMEOUT_MINUTES,
	WAIT_ENDINGS,
} from '../../nodes/Videogen/input/wait';
import { Videogen } from '../../nodes/Videogen/Videogen.node';

const FAMILY = 'videogen-2.5';
const urls = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `https://e.com/${index + 1}`);

const text = { model: `${FAMILY}-text-to-video`, prompt: 'fox' };
const image = { model: `${FAMILY}-image-to-video`, prompt: 'fox', image_urls: urls(1) };
const reference = { model: `${FAMILY}-reference-to-video`, prompt: 'fox', video_urls: urls(1) };

const shapes: Array<[string, ZodType, Record<string, unknown>]> = [
	['text to video', textVideoRequestSchema(FAMILY), text],
	['image to video', imageVideoRequestSchema(FAMILY), image],
	['reference to video', referenceVideoRequestSchema(FAMILY), reference],
];

const without = (request: Record<string, unknown>, property: string): Record<string, unknown> =>
	Object.fromEntries(Object.entries(request).filter(([name]) => name !== property));

const accepts = (schema: ZodType, value: unknown): boolean => schema.safeParse(value).success;

describe('the words and numbers of the contract', () => {
	test('are those of the specification', () => {
		expect(DURATION_SECONDS).toEqual({ min: 4, max: 30, default: 5 });
		expect(QUALITIES).toEqual(['480p', '720p']);
		expect(DEFAULT_QUALITY).toBe('720p');
		expect(ASPECT_RATIOS).toEqual(['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive']);
		expect(DEFAULT_ASPECT_RATIO).toBe('adaptive');
		expect(DEFAULT_GENERATE_AUDIO).toBe(true);
		expect(DEFAULT_CONTENT_FILTER).toBe(true);
		expect(DEFAULT_WEB_SEARCH).toBe(false);
		expect(TASK_STATUSES).toEqual(['pending', 'processing', 'completed', 'failed']);
		expect(CREATE_PATH).toBe('v1/videos/generations');
		expect(TASKS_PATH).toBe('v1/tasks');
		expect(WORKFLOWS.map((workflow) => modelOf(DEFAULT_MODEL_FAMILY, workflow))).toEqual([
			'videogen-2.5-text-to-video',
			'videogen-2.5-image-to-video',
			'videogen-2.5-reference-to-video',
		]);
	});
});

describe.each(shapes)('a request for %s', (_name, schema, least) => {
	test('needs no more than the contract asks for', () => {
		expect(accepts(schema, least)).toBe(true);
	});

	test.each(Object.keys(text))('needs %s', (name) => {
		expect(accepts(schema, without(least, name))).toBe(false);
	});

	test.each<[string, unknown]>([
		['prompt', 'x'],
		['duration', 4],
		['duration', 30],
		...QUALITIES.map((quality): [string, unknown] => ['quality', quality]),
		...ASPECT_RATIOS.map((ratio): [string, unknown] => ['aspect_ratio', ratio]),
		['generate_audio', false],
		['content_filter', false],
		['callback_url', 'https://e.com/hook'],
	])('may have %s: %j', (name, value) => {
		expect(accepts(schema, { ...least, [name]: value })).toBe(true);
	});

	test.each<[string, unknown]>([
		['prompt', ''],
		['prompt', 7],
		['duration', 3],
		['duration', 31],
		['duration', 4.5],
		['duration', '5'],
		['duration', null],
		['quality', '4K'],
		['quality', '1080p'],
		['aspect_ratio', '2:1'],
		['aspect_ratio', ''],
		['generate_audio', 'true'],
		['content_filter', 1],
		['callback_url', 'hook'],
		['callback_url', ''],
		['model', 'videogen-2.5'],
		['model', 'other-text-to-video'],
		['seed', 7],
		['audio', true],
	])('may not have %s: %j', (name, value) => {
		expect(accepts(schema, { ...least, [name]: value })).toBe(false);
	});

	test('is of the model family that was asked for', () => {
		const others = [textVideoRequestSchema, imageVideoRequestSchema, referenceVideoRequestSchema];
		const asOther = { ...least, model: String(least.model).replace(FAMILY, 'acme-3') };
		expect(accepts(schema, asOther)).toBe(false);
		expect(others.filter((make) => accepts(make('acme-3'), asOther))).toHaveLength(1);
	});
});

describe('the lists of media', () => {
	const table: Array<[string, string, number, ZodType, Record<string, unknown>]> = [
		['image to video', 'image_urls', 2, imageVideoRequestSchema(FAMILY), image],
		['reference to video', 'image_urls', 30, referenceVideoRequestSchema(FAMILY), reference],
		['reference to video', 'video_urls', 10, referenceVideoRequestSchema(FAMILY), reference],
		['reference to video', 'audio_urls', 10, referenceVideoRequestSchema(FAMILY), reference],
	];

	test.each(table)('%s: %s has from 1 to %i entries', (_name, property, max, schema, least) => {
		const withCount = (count: number) => ({ ...least, [property]: urls(count) });
		expect([0, 1, max, max + 1].map((count) => accepts(schema, withCount(count)))).toEqual([
			false,
			true,
			true,
			false,
		]);
		expect(accepts(schema, { ...least, [property]: ['word'] })).toBe(false);
		expect(accepts(schema, { ...least, [property]: 'https://e.com/1' })).toBe(false);
	});

	test('one of the three is enough for references, and one is needed', () => {
		const schema = referenceVideoRequestSchema(FAMILY);
		const none = without(reference, 'video_urls');
		expect(accepts(schema, none)).toBe(false);
		for (const property of ['image_urls', 'video_urls', 'audio_urls']) {
			expect(accepts(schema, { ...none, [property]: urls(1) })).toBe(true);
		}
	});

	test('frames are needed for image to video', () => {
		expect(accepts(imageVideoRequestSchema(FAMILY), without(image, 'image_urls'))).toBe(false);
	});

	test.each(['image_urls', 'video_urls', 'audio_urls'])('text to video takes no %s', (property) => {
		expect(accepts(textVideoRequestSchema(FAMILY), { ...text, [property]: urls(1) })).toBe(false);
	});

	test.each(['video_urls', 'audio_urls'])('image to video takes no %s', (property) => {
		expect(accepts(imageVideoRequestSchema(FAMILY), { ...image, [property]: urls(1) })).toBe(false);
	});
});

describe('model_params', () => {
	const schema = textVideoRequestSchema(FAMILY);

	test.each([{}, { web_search: true }, { web_search: false, seed: 7, style: { name: 'x' } }])(
		'may be %j, and nothing of it is lost',
		(model_params) => {
			expect(schema.parse({ ...text, model_params })).toEqual({ ...text, model_params });
		},
	);

	test.each([null, [], 'a', 7, { web_search: 'yes' }, { web_search: 1 }, { web_search: null }])(
		'may not be %j',
		(model_params) => expect(accepts(schema, { ...text, model_params })).toBe(false),
	);

	test.each(shapes.slice(1))('%s takes none', (_name, other, least) => {
		expect(accepts(other, { ...least, model_params: {} })).toBe(false);
	});
});

describe('a task record', () => {
	const least = { id: 'task_1', status: 'pending' };

	test.each<[string, unknown]>([
		...TASK_STATUSES.map((status): [string, unknown] => ['status', status]),
		['progress', 0],
		['progress', 100],
		['results', []],
		['results', urls(3)],
		['task_info', { can_cancel: true, estimated_time: 1.5, queue: 3 }],
		['usage', { credits: 25 }],
		['error', 'text'],
		['error', { code: 7 }],
		['error', null],
		['created', 7],
	])('may have %s: %j, kept as it came', (name, value) => {
		const record = { ...least, [name]: value };
		expect(taskRecordSchema.parse(record)).toEqual(record);
	});

	test.each<[string, unknown]>([
		['id', ''],
		['id', undefined],
		['id', 7],
		['status', 'queued'],
		['status', undefined],
		['progress', -1],
		['progress', 101],
		['progress', 1.5],
		['results', ['word']],
		['results', 'https://e.com/1'],
		['task_info', []],
		['task_info', { can_cancel: 'yes' }],
		['usage', 7],
	])('may not have %s: %j', (name, value) => {
		expect(accepts(taskRecordSchema, { ...least, [name]: value })).toBe(false);
	});
});

const { description } = new Videogen();

/** A field or an entry of a collection, as interface.md fixes it. */
interface Fixed {
	type: INodeProperties['type'];
	default: INodeProperties['default'];
	required?: true;
	/** The values of a menu, in their order. */
	values?: readonly string[];
	/** Limits that the editor sets. */
	limits?: Partial<Record<'minValue' | 'maxValue' | 'numberPrecision', number>>;
}

const CREATES = ['createTextVideo', 'createImageVideo', 'createReferenceVideo'];
const OPERATIONS = [...CREATES, 'getTask'];

const empty: Fixed = { type: 'string', default: '' };
const list: Fixed = { type: 'string', default: '' };
const off: Fixed = { type: 'boolean', default: false };
const on: Fixed = { type: 'boolean', default: true };

/** Fields that are the same wherever they are shown. */
const FIELDS: Record<string, Fixed> = {
	operation: { type: 'options', default: 'createTextVideo', values: OPERATIONS },
	prompt: { ...empty, required: true },
	imageSource: { type: 'options', default: 'url', values: ['url', 'binary'] },
	firstFrameUrl: { ...empty, required: true },
	lastFrameUrl: empty,
	firstFrameBinaryProperty: { type: 'string', default: 'data', required: true },
	lastFrameBinaryProperty: empty,
	imageUrls: list,
	videoUrls: list,
	audioUrls: list,
	referenceBinaryProperties: empty,
	duration: {
		type: 'number',
		default: DURATION_SECONDS.default,
		limits: {
			minValue: DURATION_SECONDS.min,
			maxValue: DURATION_SECONDS.max,
			numberPrecision: 0,
		},
	},
	quality: { type: 'options', default: DEFAULT_QUALITY, values: ['720p', '480p'] },
	aspectRatio: {
		type: 'options',
		default: DEFAULT_ASPECT_RATIO,
		values: ['adaptive', '16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
	},
	taskId: { ...empty, required: true },
	downloadResults: off,
	binaryPropertyOutput: { type: 'string', default: 'data' },
};

/** Entries of the collections. */
const OPTIONS: Record<string, Fixed> = {
	generateAudio: { ...on, default: DEFAULT_GENERATE_AUDIO },
	contentFilter: { ...on, default: DEFAULT_CONTENT_FILTER },
	callbackUrl: empty,
	resendAfterNoReply: off,
	maxConcurrentTasks: {
		type: 'number',
		default: MAX_CONCURRENT_TASKS.default,
		limits: { minValue: MAX_CONCURRENT_TASKS.min, numberPrecision: 0 },
	},
};
const TEXT_OPTIONS: Record<string, Fixed> = {
	...OPTIONS,
	webSearch: { ...off, default: DEFAULT_WEB_SEARCH },
	modelParams: { type: 'json', default: '{}' },
};
const ending: Fixed = { type: 'options', default: WAIT_ENDINGS[0], values: WAIT_ENDINGS };
const WAIT_OPTIONS: Record<string, Fixed> = {
	pollIntervalSeconds: {
		type: 'number',
		default: POLL_INTERVAL_SECONDS.default,
		limits: { minValue: POLL_INTERVAL_SECONDS.min },
	},
	timeoutMinutes: { type: 'number', default: TIMEOUT_MINUTES.default, limits: { minValue: 0 } },
	onTimeout: ending,
	onFailure: ending,
};

/** What the editor shows for these values, notices aside. */
const shownFor = (values: INodeParameters): INodeProperties[] =>
	description.properties.filter(
		(field) =>
			field.type !== 'notice' &&
			NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, description),
	);

const namesFor = (values: INodeParameters): string[] =>
	shownFor(values)
		.map(({ name }) => name)
		.sort();

function fieldFor(values: INodeParameters, name: string): INodeProperties {
	const found = shownFor(values).filter((field) => field.name === name);
	const [field] = found;
	if (field === undefined || found.length > 1) throw new Error(`${found.length} fields ${name}`);
	return field;
}

function entriesOf(collection: INodeProperties): INodeProperties[] {
	return (collection.options ?? []).map((entry) => {
		if (!('displayName' in entry) || !('type' in entry)) throw new Error(`${entry.name} is odd`);
		return entry;
	});
}

const valuesOf = ({ options = [] }: INodeProperties): unknown[] =>
	options.map((option) => ('value' in option ? option.value : undefined));

function expectFixed(field: INodeProperties, fixed: Fixed): void {
	expect({ type: field.type, default: field.default, required: field.required }).toEqual({
		type: fixed.type,
		default: fixed.default,
		required: fixed.required,
	});
	if (fixed.values) expect(valuesOf(field)).toEqual(fixed.values);
	expect(field.typeOptions ?? {}).toMatchObject(fixed.limits ?? {});
}

describe("the node's description", () => {
	test('has the names that saved workflows hold', () => {
		expect(description).toMatchObject({
			name: 'videogen',
			version: 1,
			usableAsTool: true,
			inputs: ['main'],
			outputs: ['main'],
			credentials: [{ name: 'videogenApi', required: true }],
		});
	});

	test('names a credential test that the node has', () => {
		const testedBy = description.credentials?.[0]?.testedBy;
		expect(Object.keys(new Videogen().methods.credentialTest)).toEqual([testedBy]);
	});

	const always = ['operation', 'prompt', 'duration', 'quality', 'aspectRatio', 'options'];
	const creating = [...always, 'waitForCompletion'];
	const byUrl = { operation: 'createImageVideo', imageSource: 'url' };
	const byFile = { operation: 'createImageVideo', imageSource: 'binary' };
	const shown: Array<[values: INodeParameters, names: string[]]> = [
		[{ operation: 'createTextVideo' }, creating],
		[byUrl, [...creating, 'imageSource', 'firstFrameUrl', 'lastFrameUrl']],
		[byFile, [...creating, 'imageSource', 'firstFrameBinaryProperty', 'lastFrameBinaryProperty']],
		[
			{ operation: 'createReferenceVideo' },
			[...creating, 'imageUrls', 'videoUrls', 'audioUrls', 'referenceBinaryProperties'],
		],
	];

	test.each(shown)('%j shows its own fields, others while it waits', (values, names) => {
		const when = (more: INodeParameters) => namesFor({ ...values, options: {}, ...more });
		const whileWaiting = [...names, 'waitOptions', 'downloadResults'];
		expect(when({ waitForCompletion: false, downloadResults: true })).toEqual([...names].sort());
		expect(when({ waitForCompletion: true })).toEqual([...whileWaiting].sort());
		expect(when({ waitForCompletion: true, downloadResults: true })).toEqual(
			[...whileWaiting, 'binaryPropertyOutput'].sort(),
		);
	});

	test('getTask can download whether it waits or not', () => {
		const names = ['operation', 'taskId', 'waitForCompletion', 'downloadResults'];
		const when = (more: INodeParameters) => namesFor({ operation: 'getTask', ...more });
		expect(when({ waitForCompletion: false })).toEqual([...names].sort());
		expect(when({ waitForCompletion: false, downloadResults: true })).toEqual(
			[...names, 'binaryPropertyOutput'].sort(),
		);
		expect(when({ waitForCompletion: true })).toEqual([...names, 'waitOptions'].sort());
	});

	test('has no field that is not in the interface', () => {
		const known = [...Object.keys(FIELDS), 'options', 'waitForCompletion', 'waitOptions'];
		const names = description.properties
			.filter(({ type }) => type !== 'notice')
			.map(({ name }) => name);
		expect(names.filter((name) => !known.includes(name))).toEqual([]);
	});

	const fields = description.properties.flatMap((field) => {
		const fixed = FIELDS[field.name];
		return fixed ? [[field.name, field, fixed] as const] : [];
	});
	test.each(fields)(
		'%s has the type, default and choices of the interface',
		(_name, field, fixed) => {
			expectFixed(field, fixed);
		},
	);

	test('menus offer what the contract allows, and nothing else', () => {
		const values = { operation: 'createTextVideo', waitForCompletion: true };
		const sorted = (items: readonly unknown[]) => [...items].sort();
		expect(sorted(valuesOf(fieldFor(values, 'quality')))).toEqual(sorted(QUALITIES));
		expect(sorted(valuesOf(fieldFor(values, 'aspectRatio')))).toEqual(sorted(ASPECT_RATIOS));
	});

	test.each([
		['createTextVideo', true],
		['createImageVideo', true],
		['createReferenceVideo', true],
		['getTask', false],
	])('%s waits unless told otherwise: %j', (operation, waits) => {
		const field = fieldFor({ operation }, 'waitForCompletion');
		expectFixed(field, { type: 'boolean', default: waits });
	});

	const collections: Array<[string, string, Record<string, Fixed>]> = [
		['createTextVideo', 'options', TEXT_OPTIONS],
		['createImageVideo', 'options', OPTIONS],
		['createReferenceVideo', 'options', OPTIONS],
		...OPERATIONS.map((operation): [string, string, Record<string, Fixed>] => [
			operation,
			'waitOptions',
			WAIT_OPTIONS,
		]),
	];

	test.each(collections)('%s has in %s the entries of the interface', (operation, name, fixed) => {
		const collection = fieldFor({ operation, waitForCompletion: true }, name);
		expectFixed(collection, { type: 'collection', default: {} });
		const entries = entriesOf(collection);
		expect(entries.map((entry) => entry.name).sort()).toEqual(Object.keys(fixed).sort());
		for (const entry of entries) {
			const expected = fixed[entry.name];
			if (expected) expectFixed(entry, expected);
		}
	});

	test('warns of the surcharge as soon as the filter is off, and only then', () => {
		const noticesFor = (contentFilter: boolean | undefined) =>
			description.properties.filter(
				(field) =>
					field.type === 'notice' &&
					NodeHelpers.displayParameter(
						{ operation: 'createImageVideo', options: { contentFilter } },
						field,
						{ typeVersion: 1 },
						description,
					),
			);
		expect(noticesFor(false).map(({ displayName }) => displayName)).toEqual([
			expect.stringContaining('surcharge'),
		]);
		expect(noticesFor(true)).toEqual([]);
		expect(noticesFor(undefined)).toEqual([]);
	});

	const collected = description.properties.flatMap((field) =>
		field.type === 'collection' ? [field, ...entriesOf(field)] : [field],
	);

	test('says of every field what it is for, with an example where one is given', () => {
		const silent = collected.filter(
			({ type, description: meaning = '' }) =>
				!['notice', 'collection'].includes(type) && !/^[A-Z].{10}/.test(meaning),
		);
		expect(silent.map(({ name }) => name)).toEqual(['operation']);
		const examples = collected.flatMap(({ placeholder }) => placeholder ?? []);
		expect(examples.length).toBeGreaterThan(5);
		for (const example of examples) expect(example).toMatch(/^(?:e\.g\. \S|Add option$)/);
	});

	test('gives every choice of a menu a name of its own', () => {
		const menus = collected.filter(({ type }) => type === 'options');
		expect(menus.length).toBeGreaterThan(4);
		for (const { options = [] } of menus) {
			const names = options.map(({ name }) => name);
			for (const name of names) expect(name).toMatch(/\S/);
			expect(new Set(names).size).toBe(options.length);
		}
	});

	test('lists the entries of a collection by their names in the editor', () => {
		const collections = collected.filter(({ type }) => type === 'collection');
		for (const field of collections) {
			const names = entriesOf(field).map(({ displayName }) => displayName);
			expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
		}
	});

	test('shows every field under the name that messages use', () => {
		const labels = new Map<string, string>(Object.entries(LABELS));
		const labelled = collected.filter(({ name }) => labels.has(name));
		for (const { name, displayName } of labelled) expect(displayName).toBe(labels.get(name));
		expect(new Set(labelled.map(({ name }) => name))).toEqual(new Set(labels.keys()));
	});
});
