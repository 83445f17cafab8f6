import type { ZodType } from 'zod';
import {
	CREATE_PATH,
	DEFAULT_MODEL_FAMILY,
	modelOf,
	TASKS_PATH,
	WORKFLOWS,
} from '../../nodes/Videogen/service/contract/limits';
import { requestSchemas } from '../../nodes/Videogen/service/contract/request';
import { taskRecordSchema } from '../simulator/taskRecord';

const FAMILY = 'videogen-2.5';
const urls = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `https://e.com/${index + 1}`);

const text = { model: `${FAMILY}-text-to-video`, prompt: 'fox' };
const image = { model: `${FAMILY}-image-to-video`, prompt: 'fox', image_urls: urls(1) };
const reference = { model: `${FAMILY}-reference-to-video`, prompt: 'fox', video_urls: urls(1) };

const textSchema = requestSchemas['text-to-video'](FAMILY);
const imageSchema = requestSchemas['image-to-video'](FAMILY);
const referenceSchema = requestSchemas['reference-to-video'](FAMILY);

const accepts = (schema: ZodType, value: unknown): boolean => schema.safeParse(value).success;

test('the paths and models are those of the specification', () => {
	expect([CREATE_PATH, TASKS_PATH]).toEqual(['v1/videos/generations', 'v1/tasks']);
	expect(WORKFLOWS.map((workflow) => modelOf(DEFAULT_MODEL_FAMILY, workflow))).toEqual([
		'videogen-2.5-text-to-video',
		'videogen-2.5-image-to-video',
		'videogen-2.5-reference-to-video',
	]);
});

describe.each<[string, ZodType, Record<string, unknown>]>([
	['text to video', textSchema, text],
	['image to video', imageSchema, image],
	['reference to video', referenceSchema, reference],
])('a request for %s', (_name, schema, least) => {
	test('needs a model and a prompt', () => {
		expect(accepts(schema, least)).toBe(true);
		expect(accepts(schema, { ...least, model: undefined })).toBe(false);
		expect(accepts(schema, { ...least, prompt: undefined })).toBe(false);
	});

	test.each<[property: string, allowed: unknown[], refused: unknown[]]>([
		['prompt', ['x'], ['', 7]],
		['duration', [4, 30], [3, 31, 4.5, '5', null]],
		['quality', ['480p', '720p'], ['4K', '1080p']],
		['aspect_ratio', ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'], ['2:1', '']],
		['generate_audio', [false, true], ['true', 1]],
		['content_filter', [false, true], ['true', 1]],
		['callback_url', ['https://e.com/hook'], ['hook', '']],
		['model', [], ['videogen-2.5', 'other-text-to-video']],
		['seed', [], [7]],
	])('takes as its %s what the contract allows', (name, allowed, refused) => {
		const taken = [...allowed, ...refused].filter((value) =>
			accepts(schema, { ...least, [name]: value }),
		);
		expect(taken).toEqual(allowed);
	});

	test('is of the model family that was asked for', () => {
		const others = Object.values(requestSchemas);
		const asOther = { ...least, model: String(least.model).replace(FAMILY, 'acme-3') };
		expect(accepts(schema, asOther)).toBe(false);
		expect(others.filter((make) => accepts(make('acme-3'), asOther))).toHaveLength(1);
	});
});

describe('the lists of media', () => {
	test.each<[string, string, number, ZodType, Record<string, unknown>]>([
		['image to video', 'image_urls', 2, imageSchema, image],
		['reference to video', 'image_urls', 30, referenceSchema, reference],
		['reference to video', 'video_urls', 10, referenceSchema, reference],
		['reference to video', 'audio_urls', 10, referenceSchema, reference],
	])('%s: %s has from 1 to %i entries', (_name, property, max, schema, least) => {
		const withList = (list: unknown) => accepts(schema, { ...least, [property]: list });
		expect([0, 1, max, max + 1].map((count) => withList(urls(count)))).toEqual([
			false,
			true,
			true,
			false,
		]);
		expect([['word'], 'https://e.com/1'].map(withList)).toEqual([false, false]);
	});

	test('one of the three is enough for references, and one is needed', () => {
		const none = { ...reference, video_urls: undefined };
		expect(accepts(referenceSchema, none)).toBe(false);
		for (const property of ['image_urls', 'video_urls', 'audio_urls']) {
			expect(accepts(referenceSchema, { ...none, [property]: urls(1) })).toBe(true);
		}
	});

	test('belong to their workflow; image to video needs its frames', () => {
		expect(accepts(imageSchema, { ...image, image_urls: undefined })).toBe(false);
		for (const property of ['image_urls', 'video_urls', 'audio_urls']) {
			expect(accepts(textSchema, { ...text, [property]: urls(1) })).toBe(false);
		}
		for (const property of ['video_urls', 'audio_urls']) {
			expect(accepts(imageSchema, { ...image, [property]: urls(1) })).toBe(false);
		}
	});
});

describe('model_params', () => {
	test.each([{}, { web_search: true }, { web_search: false, seed: 7, style: { name: 'x' } }])(
		'may be %j, and nothing of it is lost',
		(model_params) => {
			expect(textSchema.parse({ ...text, model_params })).toEqual({ ...text, model_params });
		},
	);

	test.each([null, [], 'a', 7, { web_search: 'yes' }, { web_search: 1 }, { web_search: null }])(
		'may not be %j',
		(model_params) => expect(accepts(textSchema, { ...text, model_params })).toBe(false),
	);

	test('are for text to video alone', () => {
		expect(accepts(imageSchema, { ...image, model_params: {} })).toBe(false);
		expect(accepts(referenceSchema, { ...reference, model_params: {} })).toBe(false);
	});
});

describe('a task record', () => {
	const least = { id: 'task_1', status: 'pending' };

	test.each<[property: string, allowed: unknown[], refused: unknown[]]>([
		['id', ['x'], ['', undefined, 7]],
		['status', ['pending', 'processing', 'completed', 'failed'], ['queued', undefined]],
		['progress', [0, 100], [-1, 101, 1.5]],
		['results', [[], urls(3)], [['word'], 'https://e.com/1']],
		[
			'task_info',
			[{ can_cancel: true, estimated_time: 1.5, queue: 3 }],
			[[], { can_cancel: 'yes' }],
		],
		['usage', [{ credits: 25 }], [7]],
		['error', ['text', { code: 7 }, null], []],
		['created', [7], []],
	])('has as its %s what the contract promises, kept as it came', (name, allowed, refused) => {
		for (const value of allowed) {
			const record = { ...least, [name]: value };
			expect(taskRecordSchema.parse(record)).toEqual(record);
		}
		const taken = refused.filter((value) => accepts(taskRecordSchema, { ...least, [name]: value }));
		expect(taken).toEqual([]);
	});
});
