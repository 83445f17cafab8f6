import {
	CREATE_PATH,
	DEFAULT_MODEL_FAMILY,
	modelOf,
	TASKS_PATH,
	type Workflow,
	WORKFLOWS,
} from '../../../nodes/Videogen/service/contract/limits';
import { requestSchemas } from '../../../nodes/Videogen/service/contract/request';
import { checkCreate } from '../../../tools/simulator/validation';

const urls = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `https://e.com/${index + 1}`);

const leastOf = (workflow: Workflow, family = DEFAULT_MODEL_FAMILY): Record<string, unknown> => ({
	...{ model: modelOf(family, workflow), prompt: 'fox' },
	...(workflow === 'image-to-video' && { image_urls: urls(1) }),
	...(workflow === 'reference-to-video' && { video_urls: urls(1) }),
});

const accepts = (workflow: Workflow, body: unknown): boolean =>
	requestSchemas[workflow].safeParse(body).success;

test('the paths and models are those of the specification', () => {
	expect([CREATE_PATH, TASKS_PATH]).toEqual(['v1/videos/generations', 'v1/tasks']);
	expect(WORKFLOWS.map((workflow) => modelOf(DEFAULT_MODEL_FAMILY, workflow))).toEqual([
		'videogen-2.5-text-to-video',
		'videogen-2.5-image-to-video',
		'videogen-2.5-reference-to-video',
	]);
});

/** The simulator has a contract of its own, which was written apart from that of the node. */
describe.each(WORKFLOWS)('a request for %s', (workflow) => {
	const isTaken = (json: unknown): boolean => {
		const asked = { headers: { 'content-type': 'application/json' }, json };
		const service = { modelFamily: DEFAULT_MODEL_FAMILY };
		return 'request' in checkCreate(asked, service);
	};

	test.each<[property: string, values: unknown[]]>([
		['prompt', ['x', '', 7, undefined]],
		['duration', [4, 30, 3, 31, 4.5, '5', null]],
		['quality', ['480p', '720p', '4K', '1080p']],
		['aspect_ratio', ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive', '2:1', '']],
		['generate_audio', [false, true, 'true', 1]],
		['content_filter', [false, true, 'true', 1]],
		['callback_url', ['https://e.com/hook', 'hook', '']],
		['model', ['videogen-2.5', 'text-to-video', 'videogen-2.5-to-video', 7, undefined]],
		['unknown', [7]],
		['image_urls', [...[0, 1, 2, 3, 30, 31].map(urls), ['word'], 'https://e.com', undefined]],
		['video_urls', [...[0, 1, 10, 11].map(urls), ['word'], 'https://e.com', undefined]],
		['audio_urls', [...[0, 1, 10, 11].map(urls), ['word'], 'https://e.com']],
		['model_params', [{}, { web_search: false, seed: 7 }, null, [], 'a', { web_search: 'yes' }]],
	])('may have as its %s what the service takes, and nothing else', (property, values) => {
		const bodies = values.map((value): unknown =>
			JSON.parse(JSON.stringify({ ...leastOf(workflow), [property]: value })),
		);
		expect(bodies.filter((body) => accepts(workflow, body))).toEqual(bodies.filter(isTaken));
	});

	test('is known by its model, of whatever family', () => {
		const ofOther = leastOf(workflow, 'acme-3');
		expect(WORKFLOWS.filter((one) => accepts(one, ofOther))).toEqual([workflow]);
	});
});
