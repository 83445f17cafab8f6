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
import { sampleMp4, samplePng, sampleWav } from '../../programs/support/sampleFiles';

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

	test.each([undefined, {}])(
		'in an item that has none sends to other nodes: %j',
		async (binary) => {
			const { advice } = await refusedTo(itemFilesWith(binary));
			expect(advice).toContain(
				'No file came in at all: put a node before this one that gives one, such as Google Drive',
			);
		},
	);

	test('of a tool, which gets no files, tells a model what to do', async () => {
		const { advice } = await refusedTo(itemFilesWith(undefined, { isTool: true }));
		expect(advice).toBe(
			'Files do not reach tools, also not those uploaded in the chat. Ask for a public URL of the file, and give that.',
		);
	});

	test.each([
		['data', 'Some Field: no file named "data" came in.'],
		[null, 'Some Field is empty.'],
		['  ', 'Some Field is empty.'],
		[7, 'Some Field: no file named 7 came in.'],
		['constructor', 'Some Field: no file named "constructor" came in.'],
	])('that is none lists those there are: %j', async (given, text) => {
		const files = itemFilesWith({ photo: png, clip: fileOf('video/mp4') });
		const { message, advice } = await refusedTo(files, given);
		expect(message).toBe(text);
		expect(advice).toBe(`Found: "photo", "clip". Write one of them into 'Some Field'.`);
	});

	const foreign = { ...png, id: 'filesystem-v2:workflows/2/executions/9/binary_data/1', data: '' };
	test.each([
		[foreign, `Some Field: {"data":"","mimeType":"image/png","id":"`],
		[{ mimeType: 'image/png' }, 'Some Field: {"mimeType":"image/png"} is no file of the item.'],
		[JSON.stringify(foreign), 'Some Field: no file named "{"data":"",'],
	])('is never made of what only looks like a file: %j', async (given, text) => {
		const { message, advice } = await refusedTo(itemFilesWith({ photo: png }), given);
		expect(message).toContain(text);
		expect(advice).toContain(typeof given === 'string' ? 'photo' : 'Pass the file along');
	});
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
			else expect((await refusedTo(files, given)).message).toContain('is no file of the item.');
		}
	});
});

describe('the type of a file', () => {
	const first = {
		png: samplePng(),
		wav: sampleWav(),
		mp4: sampleMp4(),
		text: Buffer.from('Hello, you'),
	};
	const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
	const m4a = Buffer.from('000000186674797069736f6d', 'hex');

	test.each<[string | undefined, string | undefined, Buffer, string]>([
		['application/octet-stream', 'photo.bin', first.png, 'image/png'],
		['binary/octet-stream', 'scan.pdf', jpeg, 'image/jpeg'],
		[undefined, undefined, first.png, 'image/png'],
		['', 'clip', first.mp4, 'video/mp4'],
		['application/pdf', 'scan.pdf', first.png, 'image/png'],
		['image/jpg', 'photo.jpg', jpeg, 'image/jpeg'],
		['application/octet-stream', 'photo.JPG', first.text, 'image/jpeg'],
		['video/x-m4v', 'a.m4v', m4a, 'video/mp4'],
		['image/x-odd', 'a.odd', first.text, 'image/x-odd'],
	])(
		'%s, named %s, is that of its first bytes, or its name',
		async (mimeType, fileName, bytes, type) => {
			for (const isInMemory of [false, true]) {
				const id = 'filesystem-v2:workflows/1/executions/7/binary_data/a';
				const scene = new ItemFilesScene({ contents: { [id]: bytes } });
				const stored = isInMemory ? fileInMemory('', bytes) : fileOf('', { id });
				// Code that makes files may leave the type out.
				const file = JSON.parse(JSON.stringify({ ...stored, mimeType, fileName }));
				if (isInMemory && !type.startsWith('image/')) continue;
				const url = await (await take(scene.files({ data: file }))).url();
				if (isInMemory) expect(url).toMatch(new RegExp(`^data:${type};base64,`));
				else
					expect([url.includes('copy-1'), ...scene.copies]).toEqual([
						mimeType !== type,
						...(mimeType === type ? [] : [[fileName, type, bytes]]),
					]);
			}
		},
	);

	test.each<[string | undefined, string | undefined, Buffer, string]>([
		[
			'text/plain',
			undefined,
			first.text,
			'the file "data" is of type text/plain, not image or video.',
		],
		[
			'text/html',
			'a.png',
			first.text,
			'the file "data" (a.png) is of type text/html, not image or video.',
		],
		[
			'imagery/png',
			undefined,
			first.text,
			'the file "data" is of type imagery/png, not image or video.',
		],
		[
			'audio/mpeg',
			'a.mp3',
			first.text,
			'the file "data" (a.mp3) is of type audio/mpeg, not image or video.',
		],
		[
			'audio/x-m4a',
			'a.m4a',
			m4a,
			'the file "data" (a.m4a) is of type audio/x-m4a, not image or video.',
		],
		[
			'application/octet-stream',
			'voice.wav',
			first.wav,
			'the file "data" (voice.wav) is of type audio/wav, not image or video.',
		],
		[
			'application/octet-stream',
			'a',
			first.text,
			'the file "data" (a) is of type unknown, not image or video.',
		],
		[undefined, undefined, first.text, 'the file "data" is of type unknown, not image or video.'],
	])('%s, named %s, is none that is wanted', async (mimeType, fileName, bytes, text) => {
		const scene = new ItemFilesScene({ contents: { [String(png.id)]: bytes } });
		const file = JSON.parse(JSON.stringify({ ...png, mimeType, fileName }));
		const { message, advice } = await refusedTo(scene.files({ data: file }));
		expect(message).toBe(`${FIELD}: ${text}`);
		expect(advice).toBe('Use a file of that type.');
	});

	test('that n8n knows is believed without a look', async () => {
		const scene = new ItemFilesScene();
		await (await take(scene.files({ data: png }))).url();
		expect(scene.reads).toEqual([]);
	});
});

describe('a file that n8n keeps only until the execution ends', () => {
	const temporary = fileOf('image/png', {
		id: 'filesystem-v2:workflows/1/executions/temp/binary_data/0b7c',
		fileName: 'me.png',
	});

	test('is stored once more, once in all runs of an execution, when it is sent', async () => {
		const scene = new ItemFilesScene();
		const runs = [0, 1].map(() => scene.files({ data: temporary }));
		const files = await Promise.all(runs.map(async (run) => await take(run)));
		expect(files.map(({ reference }) => reference)).toEqual(['n8n-file:0b7c', 'n8n-file:0b7c']);
		expect(scene.copies).toEqual([]);
		const links = await Promise.all([...files, ...files].map(async (file) => await file.url()));
		expect(new Set(links).size).toBe(4);
		for (const link of links) expect(link).toContain('/copy-1.6h.');
		expect(scene.copies).toEqual([['me.png', 'image/png', samplePng()]]);
	});

	test.each([temporary, { ...temporary, mimeType: '' }])(
		'and that is gone gets a message: %j',
		async (file) => {
			const scene = new ItemFilesScene({ gone: [String(temporary.id)] });
			const url = async () => await (await take(scene.files({ data: file }))).url();
			const { message, advice } = await refusalOfPlan(url());
			expect(message).toBe(`${FIELD}: the file "data" (me.png) is no longer in n8n's storage.`);
			expect(advice).toContain('Upload it again');
		},
	);
});

describe('where n8n has no link that the service can open', () => {
	const LOCAL = { n8nUrl: 'http://localhost:5678' };
	const inMemory = fileInMemory('image/png', samplePng());
	const large = Buffer.alloc(10_000_001);
	const contents = { [String(png.id)]: large.subarray(1) };
	const WHY_LOCAL =
		"because n8n's own URL, http://localhost:5678, can only be opened in its own network.";

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
		const { message, advice } = await refusedTo(itemFilesWith({ data: png }, larger));
		expect(message).toBe(
			`${FIELD}: the service cannot fetch the file "data", 10.1 MB, ${WHY_LOCAL}`,
		);
		expect(advice).toContain('only an image of up to 10 MB can be sent. Give a public URL');
		expect(advice).toContain('set WEBHOOK_URL to its whole public URL');
	});

	test('videos and audio are refused, with the setting that helps', async () => {
		const onDisk = itemFilesWith({ data: fileOf('video/mp4') }, LOCAL);
		expect((await refusedTo(onDisk)).message).toBe(
			`${FIELD}: the service cannot fetch the file "data", ${WHY_LOCAL}`,
		);
		const { message, advice } = await refusedTo(
			itemFilesWith({ data: fileInMemory('video/mp4', sampleMp4()) }),
		);
		expect(message).toBe(
			`${FIELD}: the service cannot fetch the file "data", because n8n keeps files in its memory.`,
		);
		expect(advice).toContain('N8N_DEFAULT_BINARY_DATA_MODE to filesystem');
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
		const { message, advice } = await refusalOfPlan(request(3));
		expect(message).toBe(
			'Reference File Fields: the images have 30 MB in total, and without links to them, up to 20 MB can be sent.',
		);
		expect(advice).toContain('Use smaller images.');
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

	test.each<[string, object, Record<string, string>, string]>([
		['the only image', { photo: png, clip: fileOf('video/mp4') }, {}, 'n8n-file:image-png'],
		['one without a type', { photo: fileOf('', { id: 'database:p' }) }, {}, 'n8n-file:p'],
		[
			'none of two',
			{ photo: png, other: fileOf('image/webp') },
			{},
			'no file named "data" came in.',
		],
		[
			'none where another name stands',
			{ photo: png },
			{ firstFrameBinaryProperty: 'image' },
			'no file named "image" came in.',
		],
		[
			'none that is the last',
			{ photo: png },
			{ lastFrameBinaryProperty: 'photo' },
			'no file named "data" came in.',
		],
	])('take %s where the field still says data', async (_what, given, more, expected) => {
		const parameters = { imageSource: 'binary', firstFrameBinaryProperty: 'data', ...more };
		const files = itemFilesWith({ ...given });
		const planned = planWith(createImageVideo, parameters, files);
		if (expected.startsWith('n8n-file')) {
			expect((await planned).request).toMatchObject({ image_urls: [expected] });
		} else expect((await refusalOfPlan(planned)).message).toContain(expected);
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
