import type { ZodType } from 'zod';
import {
	ASPECT_RATIOS,
	CREATE_PATH,
	DEFAULT_ASPECT_RATIO,
	DEFAULT_MODEL_FAMILY,
	DEFAULT_QUALITY,
	DURATION_SECONDS,
	modelOf,
	QUALITIES,
	TASKS_PATH,
	TASK_STATUSES,
	WORKFLOWS,
} from '../../nodes/Videogen/service/contract/limits';
import {
	imageVideoRequestSchema,
	referenceVideoRequestSchema,
	textVideoRequestSchema,
} from '../../nodes/Videogen/service/contract/request';
import { taskRecordSchema } from '../../nodes/Videogen/service/contract/taskRecord';

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
