import { createImageVideo } from '../../nodes/Videogen/fields/createImageVideo';
import { createReferenceVideo } from '../../nodes/Videogen/fields/createReferenceVideo';
import {
	fileOf,
	itemFilesWith,
	planWith,
	refusalOf,
	refusalOfPlan,
} from '../programs/support/itemFilesScene';

const png = fileOf('image/png');
const FIELD = 'Some Field';
type Files = ReturnType<typeof itemFilesWith>;
const take = (files: Files, binaryField: unknown = 'data') =>
	files({ displayName: FIELD }, binaryField, ['image', 'video']);

describe('a binary field', () => {
	test('gives its file: kind, a name that stays, and a new link of six hours on each call', () => {
		const file = take(itemFilesWith({ data: png }));
		expect(file.kind).toBe('image');
		expect(file.reference).toBe('n8n-file:image-png');
		const links = [file.link(), file.link()];
		expect(links[0]).not.toBe(links[1]);
		for (const link of links) expect(link).toMatch(/^https:\/\/n8n\.example\.com\/.*\.6h\.\d$/);
	});

	test.each([
		[' data', 'image/png', 'image'],
		['data\n', 'image/PNG', 'image'],
		[png, 'image/png', 'image'],
		['data', ' Video/MP4 ; charset=binary', 'video'],
	])('given as %j and of the type %j is an %s', (given, mimeType, kind) => {
		expect(take(itemFilesWith({ data: fileOf(mimeType) }), given).kind).toBe(kind);
	});

	test.each([
		['text/plain', 'text/plain'],
		['imagery/png', 'imagery/png'],
		['audio/mpeg', 'audio/mpeg'],
		['', 'unknown'],
		[undefined, 'unknown'],
	])('of the type %j is of no wanted kind', (mimeType, type) => {
		// Code that makes files may leave the type out.
		const files = itemFilesWith(JSON.parse(JSON.stringify({ data: { ...png, mimeType } })));
		const { message, advice } = refusalOf(() => take(files));
		expect(message).toBe(`${FIELD}: the file "data" is of type ${type}, not image or video.`);
		expect(advice).toBe('Use a file of that type.');
	});

	test.each([undefined, {}])('in an item that has none sends to other nodes: %j', (binary) => {
		const { advice } = refusalOf(() => take(itemFilesWith(binary)));
		expect(advice).toContain(
			'No file came in at all: put a node before this one that gives one, such as Google Drive',
		);
	});

	test.each([
		['data', 'Some Field: no file named "data" came in.'],
		[null, 'Some Field is empty.'],
		['  ', 'Some Field is empty.'],
		[7, 'Some Field: no file named 7 came in.'],
		['constructor', 'Some Field: no file named "constructor" came in.'],
	])('that is none lists those there are: %j', (given, text) => {
		const files = itemFilesWith({ photo: png, clip: fileOf('video/mp4') });
		const { message, advice } = refusalOf(() => take(files, given));
		expect(message).toBe(text);
		expect(advice).toBe(`Found: "photo", "clip". Write one of them into 'Some Field'.`);
	});

	const foreign = { ...png, id: 'filesystem-v2:workflows/2/executions/9/binary_data/1', data: '' };
	test.each([
		[foreign, `Some Field: {"data":"","mimeType":"image/png","id":"`],
		[{ mimeType: 'image/png' }, 'Some Field: {"mimeType":"image/png"} is no file of the item.'],
		[JSON.stringify(foreign), 'Some Field: no file named "{"data":"",'],
	])('is never made of what only looks like a file: %j', (given, text) => {
		const { message, advice } = refusalOf(() => take(itemFilesWith({ photo: png }), given));
		expect(message).toContain(text);
		expect(advice).toContain(typeof given === 'string' ? 'photo' : 'Pass the file along');
	});

	test('in the memory of n8n names the setting that helps', () => {
		const inMemory = fileOf('image/png', { id: undefined, data: 'iVBORw0KGgo=' });
		const files = itemFilesWith({ data: inMemory });
		const { message, advice } = refusalOf(() => take(files));
		expect(message).toBe(
			'Some Field: the file "data" is kept in the memory of n8n, so no link to it can be made.',
		);
		expect(advice).toContain('N8N_DEFAULT_BINARY_DATA_MODE to filesystem');
		expect(refusalOf(() => take(files, inMemory)).message).toContain(': the given file is');
	});
});

/** Which addresses are no use to which service stands in `localHost.test.ts`. */
test('a file of an n8n that the service cannot reach says why, and shows no link', () => {
	const files = itemFilesWith({ data: png }, 'http://localhost:5678');
	const { message, advice } = refusalOf(() => take(files));
	expect(message).toBe(
		"Some Field: the service could not fetch the file, because n8n's own URL, http://localhost:5678, can only be opened in its own network.",
	);
	expect(advice).toContain('set WEBHOOK_URL to its whole public URL');
});

describe('frames from binary fields', () => {
	const binary = { data: png, last: fileOf('image/webp'), clip: fileOf('video/mp4') };
	const plan = async (parameters: Record<string, unknown>) =>
		await planWith(
			createImageVideo,
			{ imageSource: 'binary', firstFrameBinaryProperty: 'data', ...parameters },
			itemFilesWith(binary),
		);

	test('stand in the request by name, and are sent as links, new ones each time', async () => {
		const request = await plan({ lastFrameBinaryProperty: ' last ' });
		expect(request.request).toMatchObject({
			image_urls: ['n8n-file:image-png', 'n8n-file:image-webp'],
		});
		const [once, twice] = [await request.toSend(), await request.toSend()];
		const links = [
			expect.stringMatching(/token=.*image-png\.6h\.\d+$/),
			expect.stringMatching(/token=.*image-webp\.6h\.\d+$/),
		];
		expect(once).toEqual({ ...request.request, image_urls: links });
		expect(twice).toEqual({ ...request.request, image_urls: links });
		expect(twice).not.toEqual(once);
	});

	test.each([null, '', '  '])('may do without a last one: %j', async (lastFrameBinaryProperty) => {
		expect((await plan({ lastFrameBinaryProperty })).request).toMatchObject({
			image_urls: ['n8n-file:image-png'],
		});
	});

	test.each([
		['clip', ': the file "clip" is of type video/mp4, not image.'],
		['none', ': no file named "none" came in.'],
	])('are images and there: %s is refused by the field that names it', async (name, text) => {
		const [first, last] = [{ firstFrameBinaryProperty: name }, { lastFrameBinaryProperty: name }];
		expect((await refusalOfPlan(plan(first))).message).toBe(`First Image Field${text}`);
		expect((await refusalOfPlan(plan(last))).message).toBe(`Last Image Field${text}`);
	});

	test.each(['', ' ', null])('need a first one: %j', async (firstFrameBinaryProperty) => {
		const given = { firstFrameBinaryProperty, lastFrameBinaryProperty: 'last' };
		expect((await refusalOfPlan(plan(given))).message).toBe('First Image Field is empty.');
	});

	test('are not looked at while URLs are the source', async () => {
		const request = await planWith(
			createImageVideo,
			{ firstFrameUrl: 'https://e.com/1.png', firstFrameBinaryProperty: 'none' },
			itemFilesWith(undefined),
		);
		expect(await request.toSend()).toMatchObject({ image_urls: ['https://e.com/1.png'] });
	});
});

describe('references from binary fields', () => {
	const binary = {
		a: fileOf('image/png', { id: 'database:a' }),
		b: fileOf('audio/mpeg', { id: 'database:b' }),
		c: fileOf('video/mp4', { id: 'database:c' }),
		d: fileOf('image/jpeg', { id: 'database:d' }),
		text: fileOf('text/plain'),
	};
	const plan = async (parameters: Record<string, unknown>) =>
		await planWith(createReferenceVideo, parameters, itemFilesWith(binary));
	const listsOf = async (parameters: Record<string, unknown>) => {
		const { request } = await plan(parameters);
		return Object.fromEntries(Object.entries(request).filter(([name]) => name.endsWith('_urls')));
	};
	const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://e.com/${at}.x`);

	test('go to the list of their type, in their order, after the URLs', async () => {
		const referenceBinaryProperties = 'd, c, b, a';
		expect(
			await listsOf({ imageUrls: urls(2), audioUrls: urls(1), referenceBinaryProperties }),
		).toEqual({
			image_urls: [...urls(2), 'n8n-file:d', 'n8n-file:a'],
			video_urls: ['n8n-file:c'],
			audio_urls: [...urls(1), 'n8n-file:b'],
		});
	});

	test.each<[unknown, string]>([
		[',,a\n\nd\r\n', 'ad'],
		[[['d'], '', null, 'a'], 'da'],
		[[binary.d, 'a'], 'da'],
		[binary.d, 'd'],
		['a, a', 'aa'],
	])('are named as people name them: %j', async (referenceBinaryProperties, names) => {
		expect(await listsOf({ referenceBinaryProperties })).toEqual({
			image_urls: [...names].map((name) => `n8n-file:${name}`),
		});
	});

	test.each([null, ' , \n', [], ['', null]])(
		'may be left out, but not with all URLs: %j',
		async (referenceBinaryProperties) => {
			expect(await listsOf({ videoUrls: urls(1), referenceBinaryProperties })).toEqual({
				video_urls: urls(1),
			});
			expect((await refusalOfPlan(plan({ referenceBinaryProperties }))).message).toBe(
				'Image URLs, Video URLs, Audio URLs and Reference File Fields are all empty.',
			);
		},
	);

	test('are never what a text only says: not even the file of somebody else as JSON', async () => {
		const foreign = fileOf('image/png', { id: 'database:z', data: '' });
		const given = JSON.stringify([foreign]);
		const { message } = await refusalOfPlan(plan({ referenceBinaryProperties: given }));
		expect(message).toMatch(/^Reference File Fields: \{.* is no file of the item\.$/);
	});

	test.each([
		['text', 'the file "text" is of type text/plain, not image or video or audio.'],
		['a b', 'no file named "a b" came in.'],
		[7, 'no file named 7 came in.'],
	])('are images, videos or audio of the item: %j is not', async (given, text) => {
		const { message } = await refusalOfPlan(plan({ referenceBinaryProperties: ['a', given] }));
		expect(message).toBe(`Reference File Fields: ${text}`);
	});

	test.each([
		['imageUrls', 30, 'a', 'Image URLs', 'up to 30 images, files included'],
		['videoUrls', 10, 'c', 'Video URLs', 'up to 10 videos, files included'],
		['audioUrls', 10, 'b', 'Audio URLs', 'up to 10 audio files, files included'],
	])('count with the URLs: %s of %i', async (name, max, file, label, allowed) => {
		await plan({ [name]: urls(max - 1), referenceBinaryProperties: file });
		const refusal = await refusalOfPlan(
			plan({ [name]: urls(max), referenceBinaryProperties: file }),
		);
		expect(refusal.message).toBe(`${label}: ${max + 1} were given.`);
		expect(refusal.advice).toContain(allowed);
	});
});
