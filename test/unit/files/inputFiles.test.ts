import { createImageVideo } from '../../../nodes/Videogen/fields/createImageVideo';
import { createReferenceVideo } from '../../../nodes/Videogen/fields/createReferenceVideo';
import {
	fileInMemory,
	fileOf,
	ItemFilesScene,
	itemFilesWith,
	planWith,
	refusalOfPlan,
} from '../../programs/support/itemFilesScene';
import { samplePng } from '../../programs/support/sampleFiles';

const png = fileOf('image/png');
const FIELD = 'Some Field';
type Files = ReturnType<typeof itemFilesWith>;
const take = async (files: Files, binaryField: unknown = 'data') =>
	await files({ displayName: FIELD }, binaryField, ['image', 'video']);
const refusedTo = async (files: Files, binaryField: unknown = 'data') =>
	await refusalOfPlan(take(files, binaryField));

describe('a binary field', () => {
	test('gives its file: kind, a name that stays, and a new link of six hours on each call', async () => {
		const file = await take(itemFilesWith({ data: png }));
		expect([file.isOf('image'), file.isOf('video')]).toEqual([true, false]);
		expect(file.reference).toBe('n8n-file:image-png');
		const links = [await file.url(), await file.url()];
		expect(links[0]).not.toBe(links[1]);
		for (const link of links) expect(link).toMatch(/^https:\/\/n8n\.example\.com\/.*\.6h\.\d$/);
	});

	test.each([
		[' data', 'image/png', 'image'],
		['data\n', 'image/PNG', 'image'],
		[png, 'image/png', 'image'],
		['data', ' Video/MP4 ; charset=binary', 'video'],
	] as const)('given as %j and of the type %j is an %s', async (given, mimeType, kind) => {
		const file = await take(itemFilesWith({ data: fileOf(mimeType, { id: png.id }) }), given);
		expect(file.isOf(kind)).toBe(true);
	});

	test.each(['data', null, '  ', 7, 'constructor'])(
		'that is not there is refused: %j',
		async (given) => {
			const files = itemFilesWith({ photo: png, clip: fileOf('video/mp4') });
			expect((await refusedTo(files, given)).message).toMatch(
				/ is empty\.$|: no file named .* came in\.$/,
			);
		},
	);

	const foreign = { ...png, id: 'filesystem-v2:workflows/2/executions/9/binary_data/1', data: '' };
	test.each([foreign, { mimeType: 'image/png' }, JSON.stringify(foreign)])(
		'is never made of what only looks like a file: %j',
		async (given) => {
			const { message } = await refusedTo(itemFilesWith({ photo: png }), given);
			expect(message).toMatch(/ is not a file of the item\.$|: no file named .* came in\.$/);
		},
	);
});

describe('files in the memory of n8n, which have no id', () => {
	const photo = { ...fileInMemory('image/png', samplePng()), fileName: 'photo.png' };
	const other = { ...fileInMemory('image/png', samplePng([1])), fileName: 'photo.png' };
	/** As n8n's expressions give it. */
	const fromExpression = Object.fromEntries(
		Object.entries(photo).filter(([name]) => name !== 'data'),
	);
	/** With a file of another name beside it. */
	const named = { photo, other: { ...other, fileName: 'other.png' } };

	test.each<[string, object, unknown, boolean]>([
		['all of it', { photo, other: { ...other, fileSize: '2 B' } }, photo, true],
		['what an expression gives', named, fromExpression, true],
		[
			'of two that look the same',
			{ photo, other: { ...other, fileSize: photo.fileSize } },
			fromExpression,
			false,
		],
		['an empty object', { photo }, {}, false],
		['its type alone', { photo }, { mimeType: 'image/png' }, false],
		['a file of somebody else', { photo }, { ...photo, fileName: 'x.png' }, false],
		['another content', { photo }, { ...photo, data: other.data }, false],
	])('are known by what they are, in practice too: %s', async (_what, binary, given, isFile) => {
		for (const settings of [{}, { serviceUrl: undefined }]) {
			const files = new ItemFilesScene(settings).files({ ...binary });
			if (isFile) expect((await take(files, given)).isOf('image')).toBe(true);
			else expect((await refusedTo(files, given)).message).toContain('is not a file of the item.');
		}
	});
});

/** What it is then stands in `mediaType.test.ts`. */
describe('the type of a file', () => {
	test.each([true, false])(
		'that n8n does not know is looked for in its first bytes; in memory: %s',
		async (isInMemory) => {
			const [bytes, fileName] = [samplePng([1]), 'photo.bin'];
			const scene = new ItemFilesScene({ contents: { [String(png.id)]: bytes } });
			const stored = isInMemory ? fileInMemory('', bytes) : { ...png, mimeType: '' };
			const file = await take(scene.files({ data: { ...stored, fileName } }));
			expect(await file.url()).toContain(isInMemory ? 'data:image/png;base64,' : 'copy-1');
			expect(scene.copies).toEqual(isInMemory ? [] : [[fileName, 'image/png', bytes]]);
		},
	);

	test('that n8n knows is believed without a look', async () => {
		const scene = new ItemFilesScene();
		await (await take(scene.files({ data: png }))).url();
		expect(scene.reads).toEqual([]);
	});
});

describe('where n8n has no link that the service can open', () => {
	const LOCAL = { n8nUrl: 'http://localhost:5678' };
	const inMemory = fileInMemory('image/png', samplePng());
	const large = Buffer.alloc(10_000_001);
	const contents = { [String(png.id)]: large.subarray(1) };

	test.each([
		['on the disk', png],
		['in memory', inMemory],
	])('an image goes inline: %s', async (_where, file) => {
		const inline = await take(itemFilesWith({ data: file }, LOCAL));
		expect(await inline.url()).toBe(`data:image/png;base64,${samplePng().toString('base64')}`);
		expect(inline.inlineBytes).toBe(samplePng().length);
		expect(inline.reference).toMatch(/^n8n-file:[\w-]{9,43}$/);
	});

	test('but not to a service in the same network, which can open it', async () => {
		const local = { ...LOCAL, serviceUrl: 'http://127.0.0.1:8000' };
		expect((await take(itemFilesWith({ data: png }, local))).sentAs).toBe('link');
	});

	test('equal images in memory have one reference, others have others', async () => {
		const other = fileInMemory('image/png', samplePng([1]));
		const files = itemFilesWith({ a: inMemory, b: { ...inMemory }, c: other });
		const [a, b, c] = [await take(files, 'a'), await take(files, 'b'), await take(files, 'c')];
		expect(a.reference).toBe(b.reference);
		expect(a.reference).not.toBe(c.reference);
	});

	test('up to 10 MB', async () => {
		const file = await take(itemFilesWith({ data: png }, { ...LOCAL, contents }));
		expect(file.inlineBytes).toBe(10_000_000);
		const larger = { ...LOCAL, contents: { [String(png.id)]: large } };
		const refused = await refusedTo(itemFilesWith({ data: png }, larger));
		expect(refused.message).toContain('the file "data", 10.1 MB, because');
	});

	const request = async (files: number) =>
		await planWith(
			createReferenceVideo,
			{
				referenceBinaryProperties: Array<string>(files).fill('data'),
				imageUrls: 'https://e.com/1',
			},
			itemFilesWith({ data: png }, { ...LOCAL, contents }),
		);

	test('a request has up to 20 MB of them', async () => {
		const { request: saved, toSend, usesInline } = await request(2);
		expect(usesInline).toBe(true);
		expect(JSON.stringify(saved).length).toBeLessThan(500);
		expect(saved).toMatchObject({
			image_urls: ['https://e.com/1', 'n8n-file:image-png', 'n8n-file:image-png'],
		});
		expect(JSON.stringify(await toSend()).length).toBeGreaterThan(26_600_000);
		expect((await refusalOfPlan(request(3))).message).toContain('30 MB in total');
	});
});

describe('the content of a file', () => {
	const id = String(png.id);
	const take2 = async (scene: ItemFilesScene) =>
		await Promise.all([0, 1].map(async () => await take(scene.files({ data: png }))));

	test('is read once in all runs of an execution', async () => {
		const scene = new ItemFilesScene({ contents: { [id]: Buffer.alloc(29_000_000) } });
		const hashes = [];
		for (const file of await take2(scene)) hashes.push(await file.contentHash());
		expect(new Set(hashes).size).toBe(1);
		expect(hashes[0]).toMatch(/^[\w-]{43}$/);
		expect(scene.reads).toEqual([id]);
	});

	test('is not read on after a stop, nor beyond 30 MB', async () => {
		const [file] = await take2(new ItemFilesScene());
		expect(await file?.contentHash(AbortSignal.abort())).toBeUndefined();
		const [large] = await take2(
			new ItemFilesScene({ contents: { [id]: Buffer.alloc(30_000_001) } }),
		);
		expect(await large?.contentHash()).toBeUndefined();
	});
});

describe('frames from binary fields', () => {
	const binary = { data: png, last: fileOf('image/webp'), clip: fileOf('video/mp4') };
	const plan = async (parameters: Record<string, unknown>) =>
		await planWith(
			createImageVideo,
			{ imageSource: 'binary', firstFrameBinaryProperty: 'data', ...parameters },
			itemFilesWith(binary),
		);

	test.each(['clip', 'none'])('%s is refused by the field that names it', async (name) => {
		const [first, last] = [{ firstFrameBinaryProperty: name }, { lastFrameBinaryProperty: name }];
		expect((await refusalOfPlan(plan(first))).field.displayName).toBe('First Image Field');
		expect((await refusalOfPlan(plan(last))).field.displayName).toBe('Last Image Field');
	});

	test.each<[string, object, more: Record<string, string>, taken: string | undefined]>([
		['the only image', { photo: png, clip: fileOf('video/mp4') }, {}, 'image-png'],
		['one without a type', { photo: fileOf('', { id: 'database:p' }) }, {}, 'p'],
		['none of two', { photo: png, other: fileOf('image/webp') }, {}, undefined],
		['none of another name', { photo: png }, { firstFrameBinaryProperty: 'image' }, undefined],
		['none that is the last', { photo: png }, { lastFrameBinaryProperty: 'photo' }, undefined],
	])('take %s where the field still says data', async (_what, given, more, taken) => {
		const parameters = { imageSource: 'binary', firstFrameBinaryProperty: 'data', ...more };
		const planned = planWith(createImageVideo, parameters, itemFilesWith({ ...given }));
		if (taken) expect((await planned).request).toMatchObject({ image_urls: [`n8n-file:${taken}`] });
		else expect((await refusalOfPlan(planned)).message).toContain('no file named');
	});

	test.each(['', ' ', null])('need a first one: %j', async (firstFrameBinaryProperty) => {
		const given = { firstFrameBinaryProperty, lastFrameBinaryProperty: 'last' };
		expect((await refusalOfPlan(plan(given))).about).toBe('nothing');
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
	const contents = { [String(binary.text.id)]: Buffer.from('Hello, you') };
	const plan = async (parameters: Record<string, unknown>) =>
		await planWith(createReferenceVideo, parameters, itemFilesWith(binary, { contents }));
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

	test.each([
		['imageUrls', 30, 'a', 'Image URLs'],
		['videoUrls', 10, 'c', 'Video URLs'],
		['audioUrls', 10, 'b', 'Audio URLs'],
	])('count with the URLs: %s of %i', async (name, max, file, label) => {
		await plan({ [name]: urls(max - 1), referenceBinaryProperties: file });
		const tooMany = plan({ [name]: urls(max), referenceBinaryProperties: file });
		await expect(tooMany).rejects.toThrow(`${label}: ${max + 1} were given.`);
	});
});
