import {
	CREATE_PATH,
	DEFAULT_MODEL_FAMILY,
	modelOf,
	TASKS_PATH,
	type Workflow,
	WORKFLOWS,
} from '../../../nodes/Videogen/service/contract/limits';
import { requestSchemas } from '../../../nodes/Videogen/service/contract/request';

const FAMILY = 'videogen-2.5';
const urls = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `https://e.com/${index + 1}`);

const text = { model: `${FAMILY}-text-to-video`, prompt: 'fox' };
const image = { model: `${FAMILY}-image-to-video`, prompt: 'fox', image_urls: urls(1) };
const reference = { model: `${FAMILY}-reference-to-video`, prompt: 'fox', video_urls: urls(1) };

const accepts = (workflow: Workflow, value: unknown): boolean =>
	requestSchemas[workflow].safeParse(value).success;

test('the paths and models are those of the specification', () => {
	expect([CREATE_PATH, TASKS_PATH]).toEqual(['v1/videos/generations', 'v1/tasks']);
	expect(WORKFLOWS.map((workflow) => modelOf(DEFAULT_MODEL_FAMILY, workflow))).toEqual([
		'videogen-2.5-text-to-video',
		'videogen-2.5-image-to-video',
		'videogen-2.5-reference-to-video',
	]);
});

describe.each<[Workflow, Record<string, unknown>]>([
	['text-to-video', text],
	['image-to-video', image],
	['reference-to-video', reference],
])('a request for %s', (workflow, least) => {
	test('needs a model and a prompt', () => {
		expect(accepts(workflow, least)).toBe(true);
		expect(accepts(workflow, { ...least, model: undefined })).toBe(false);
		expect(accepts(workflow, { ...least, prompt: undefined })).toBe(false);
	});

	test.each<[property: string, allowed: unknown[], refused: unknown[]]>([
		['prompt', ['x'], ['', 7]],
		['duration', [4, 30], [3, 31, 4.5, '5', null]],
		['quality', ['480p', '720p'], ['4K', '1080p']],
		['aspect_ratio', ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'], ['2:1', '']],
		['generate_audio', [false, true], ['true', 1]],
		['content_filter', [false, true], ['true', 1]],
		['callback_url', ['https://e.com/hook'], ['hook', '']],
		['model', [], ['videogen-2.5', 'text-to-video', 'videogen-2.5-to-video', 7]],
		['seed', [], [7]],
	])('takes as its %s what the contract allows', (name, allowed, refused) => {
		const taken = [...allowed, ...refused].filter((value) =>
			accepts(workflow, { ...least, [name]: value }),
		);
		expect(taken).toEqual(allowed);
	});

	test('is known by its model, of whatever family', () => {
		const asOther = { ...least, model: String(least.model).replace(FAMILY, 'acme-3') };
		const accepting = WORKFLOWS.filter((one) => accepts(one, asOther));
		expect(accepting).toEqual([workflow]);
	});
});

describe('the lists of media', () => {
	test.each<[Workflow, string, number, Record<string, unknown>]>([
		['image-to-video', 'image_urls', 2, image],
		['reference-to-video', 'image_urls', 30, reference],
		['reference-to-video', 'video_urls', 10, reference],
		['reference-to-video', 'audio_urls', 10, reference],
	])('%s: %s has from 1 to %i entries', (workflow, property, max, least) => {
		const withList = (list: unknown) => accepts(workflow, { ...least, [property]: list });
		expect([0, 1, max, max + 1].map((count) => withList(urls(count)))).toEqual([
			...[false, true, true, false],
		]);
		expect([['word'], 'https://e.com/1'].map(withList)).toEqual([false, false]);
	});

	test('one of the three is enough for references, and one is needed', () => {
		const none = { ...reference, video_urls: undefined };
		expect(accepts('reference-to-video', none)).toBe(false);
		for (const property of ['image_urls', 'video_urls', 'audio_urls']) {
			expect(accepts('reference-to-video', { ...none, [property]: urls(1) })).toBe(true);
		}
	});

	test('image to video needs its frames', () =>
		expect(accepts('image-to-video', { ...image, image_urls: undefined })).toBe(false));
});

test.each<[string, unknown, Workflow[]]>([
	['image_urls', urls(1), ['image-to-video', 'reference-to-video']],
	['video_urls', urls(1), ['reference-to-video']],
	['audio_urls', urls(1), ['reference-to-video']],
	['model_params', {}, ['text-to-video']],
])('%s of %j are for certain workflows: %j', (property, value, workflows) => {
	const least = { 'text-to-video': text, 'image-to-video': image, 'reference-to-video': reference };
	const accepting = WORKFLOWS.filter((one) => accepts(one, { ...least[one], [property]: value }));
	expect(accepting).toEqual(workflows);
});

describe('model_params', () => {
	test.each([{}, { web_search: true }, { web_search: false, seed: 7, style: { name: 'x' } }])(
		'may be %j, and nothing of it is lost',
		(model_params) => {
			const request = { ...text, model_params };
			expect(requestSchemas['text-to-video'].parse(request)).toEqual(request);
		},
	);

	test.each([null, [], 'a', 7, { web_search: 'yes' }, { web_search: 1 }, { web_search: null }])(
		'may not be %j',
		(model_params) => expect(accepts('text-to-video', { ...text, model_params })).toBe(false),
	);
});
