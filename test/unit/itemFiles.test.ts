import { LABELS } from '../../nodes/Videogen/parameters/labels';
import { createImageVideo } from '../../nodes/Videogen/operations/createImageVideo';
import { createReferenceVideo } from '../../nodes/Videogen/operations/createReferenceVideo';
import { fileOf, itemFilesWith, planWith, refusalOf } from '../support/itemFilesScene';

const png = fileOf('image/png');
const FIELD = 'Some Field';

describe('a binary field', () => {
	test('gives its file: type, a name that stays, and a new link of six hours on each call', () => {
		const file = itemFilesWith({ data: png }).take(FIELD, 'data');
		expect(file.mediaType).toBe('image/png');
		expect(file.reference).toBe('n8n-file:image-png');
		const links = [file.link(), file.link()];
		expect(links[0]).not.toBe(links[1]);
		for (const link of links) expect(link).toMatch(/^https:\/\/n8n\.example\.com\/.*\.6h\.\d$/);
	});

	test.each([' data', 'data\n', png])('may be given as %j', (given) => {
		expect(itemFilesWith({ data: png }).take(FIELD, given).mediaType).toBe('image/png');
	});

	test.each([
		['image/PNG', 'image/png'],
		[' Image/Png ; charset=binary', 'image/png'],
		['', ''],
	])('of the type %j counts as %j', (mimeType, mediaType) => {
		expect(itemFilesWith({ data: fileOf(mimeType) }).take(FIELD, 'data').mediaType).toBe(mediaType);
	});

	test('without a type, as code makes them, has none', () => {
		const untyped = { ...png, mimeType: undefined };
		const files = itemFilesWith(JSON.parse(JSON.stringify({ data: untyped })));
		expect(files.take(FIELD, 'data').mediaType).toBe('');
	});

	test.each([
		'filesystem-v2:workflows/1/executions/temp/binary_data/0b7c',
		'filesystem-v2:workflows/1/executions/7/binary_data/0b7c',
		's3:workflows/1/executions/7/binary_data/0b7c',
		'database:0b7c',
		'filesystem:0b7c',
		'0b7c',
	])('keeps its name wherever n8n moves the file: %s', (id) => {
		const file = itemFilesWith({ data: fileOf('image/png', { id }) }).take(FIELD, 'data');
		expect(file.reference).toBe('n8n-file:0b7c');
	});

	test('that is not there is named beside those that are', () => {
		const { message, advice } = refusalOf(() =>
			itemFilesWith({ photo: png, clip: fileOf('video/mp4') }).take(FIELD, 'data'),
		);
		expect(message).toBe('Some Field: the input item has no binary field "data".');
		expect(advice).toBe('The item has these binary fields: photo, clip.');
	});

	test.each([undefined, {}])('in an item that has none sends to other nodes: %j', (binary) => {
		const { message, advice } = refusalOf(() => itemFilesWith(binary).take(FIELD, 'data'));
		expect(message).toBe('Some Field: the input item has no binary field "data".');
		expect(advice).toContain('no binary fields at all: put a node before this one');
	});

	test.each([undefined, null, '', '  '])(
		'that is not named (%j) lists those there are',
		(given) => {
			const { message, advice } = refusalOf(() => itemFilesWith({ photo: png }).take(FIELD, given));
			expect(message).toBe('Some Field: is empty.');
			expect(advice).toContain('photo');
		},
	);

	test.each([
		[7, 'the binary field 7 is not a binary field.'],
		[true, 'the binary field true is not a binary field.'],
		[{ json: 1 }, 'the given file is not a binary field.'],
		[{ data: 'x' }, 'the given file is not a binary field.'],
		[{ mimeType: 'image/png' }, 'the given file is not a binary field.'],
		[{ mimeType: 7, data: 'x' }, 'the given file is not a binary field.'],
	])('that is none is refused: %j', (given, text) => {
		const { message } = refusalOf(() => itemFilesWith({ photo: png }).take(FIELD, given));
		expect(message).toBe(`Some Field: ${text}`);
	});

	test('in the memory of n8n names the setting that helps', () => {
		const inMemory = fileOf('image/png', { id: undefined, data: 'iVBORw0KGgo=' });
		const files = itemFilesWith({ data: inMemory });
		const { message, advice } = refusalOf(() => files.take(FIELD, 'data'));
		expect(message).toBe(
			'Some Field: the binary field "data" is kept in the memory of n8n, so no link to it can be made.',
		);
		expect(advice).toContain('N8N_DEFAULT_BINARY_DATA_MODE to filesystem');
		expect(refusalOf(() => files.take(FIELD, inMemory)).message).toContain(': the given file is');
	});
});

describe('n8n’s own address', () => {
	const takeFrom = (n8nUrl: string, serviceUrl: string) => () =>
		itemFilesWith({ data: png }, { n8nUrl, serviceUrl }).take(FIELD, 'data');

	test.each([
		'http://localhost:5678',
		'http://192.168.1.4:5678',
		'http://n8n',
		'http://[::1]:5678',
	])('that is local (%s) is no use to a service that is not', (n8nUrl) => {
		const { message, advice } = refusalOf(takeFrom(n8nUrl, 'https://api.example.com/video'));
		expect(message).toBe(
			`Some Field: the service could not fetch the file, because n8n's own address, ${n8nUrl}, can only be opened in its own network.`,
		);
		expect(advice).toContain('WEBHOOK_URL');
		expect(`${message} ${advice}`).not.toContain('token');
	});

	test.each(['', '"https://n8n.example.com"', 'n8n.example.com', 'xhttps://n8n.example.com'])(
		'that is no web address (%j) gives no link',
		(n8nUrl) => {
			const { message, advice } = refusalOf(takeFrom(n8nUrl, 'https://api.example.com'));
			expect(message).toBe(
				"Some Field: no link to the file can be made, because n8n's own address is not set to a web address.",
			);
			expect(advice).toContain('set WEBHOOK_URL to its whole public address');
		},
	);

	test.each([
		['http://localhost:5678', 'http://127.0.0.1:8080'],
		['http://localhost:5678', 'http://gateway:8080/v1'],
		['https://n8n.example.com', 'https://api.example.com'],
		['https://n8n.example.com', 'http://localhost:8080'],
	])('%s suits the service at %s', (n8nUrl, serviceUrl) => {
		expect(takeFrom(n8nUrl, serviceUrl)().mediaType).toBe('image/png');
	});
});

describe('frames from binary fields', () => {
	const binary = {
		data: png,
		last: fileOf('image/webp'),
		clip: fileOf('video/mp4'),
		odd: fileOf(''),
	};
	const plan = (parameters: Record<string, unknown>, files = itemFilesWith(binary)) =>
		planWith(
			createImageVideo,
			{ imageSource: 'binary', firstFrameBinaryProperty: 'data', ...parameters },
			files,
		);

	test('stand in the request by name, and are sent as links, new ones each time', () => {
		const request = plan({ lastFrameBinaryProperty: ' last ' });
		expect(request.body).toMatchObject({
			image_urls: ['n8n-file:image-png', 'n8n-file:image-webp'],
		});
		const [once, twice] = [request.toSend(), request.toSend()];
		const links = [
			expect.stringMatching(/token=.*image-png\.6h\.\d+$/),
			expect.stringMatching(/token=.*image-webp\.6h\.\d+$/),
		];
		expect(once).toEqual({ ...request.body, image_urls: links });
		expect(twice).toEqual({ ...request.body, image_urls: links });
		expect(twice).not.toEqual(once);
	});

	test('are the same request on every try, wherever n8n keeps the files by then', () => {
		const moved = JSON.parse(JSON.stringify(binary).replaceAll('executions/temp', 'executions/7'));
		expect(moved).not.toEqual(binary);
		const settings = { lastFrameBinaryProperty: 'last' };
		expect(plan(settings, itemFilesWith(moved)).body).toEqual(plan(settings).body);
	});

	test.each([undefined, null, '', '  '])(
		'may end freely: last field %j',
		(lastFrameBinaryProperty) => {
			expect(plan({ lastFrameBinaryProperty }).body).toMatchObject({
				image_urls: ['n8n-file:image-png'],
			});
		},
	);

	test.each([
		['clip', 'the binary field "clip" holds a file of the type video/mp4, not a picture.'],
		['odd', 'the binary field "odd" holds a file of unknown type, not a picture.'],
		['none', 'the input item has no binary field "none".'],
	])('are pictures and there: %s is refused by the field that names it', (name, text) => {
		const first = refusalOf(() => plan({ firstFrameBinaryProperty: name }));
		expect(first.message).toBe(`${LABELS.firstFrameBinaryProperty}: ${text}`);
		expect(first.advice).toMatch(/picture: JPEG, PNG or WebP\.$|binary fields: /);
		const last = refusalOf(() => plan({ lastFrameBinaryProperty: name }));
		expect(last.message).toBe(`${LABELS.lastFrameBinaryProperty}: ${text}`);
	});

	test.each(['', ' ', null])('need a first one: %j', (firstFrameBinaryProperty) => {
		const { message } = refusalOf(() =>
			plan({ firstFrameBinaryProperty, lastFrameBinaryProperty: 'last' }),
		);
		expect(message).toBe(`${LABELS.firstFrameBinaryProperty}: is empty.`);
	});

	test('are not looked at while addresses are the source', () => {
		const request = planWith(
			createImageVideo,
			{ firstFrameUrl: 'https://e.com/1.png', firstFrameBinaryProperty: 'none' },
			itemFilesWith(undefined),
		);
		expect(request.toSend()).toMatchObject({ image_urls: ['https://e.com/1.png'] });
	});

	test('come from a source that is known', () => {
		const { message, advice } = refusalOf(() => plan({ imageSource: 'disk' }));
		expect(message).toBe(`${LABELS.imageSource}: "disk" is not allowed.`);
		expect(advice).toBe('It is one of: url, binary.');
	});
});

describe('references from binary fields', () => {
	const binary = {
		a: fileOf('image/png', { id: 'database:a' }),
		b: fileOf('audio/mpeg', { id: 'database:b' }),
		c: fileOf('video/mp4', { id: 'database:c' }),
		d: fileOf('image/jpeg', { id: 'database:d' }),
		text: fileOf('text/plain'),
		odd: fileOf(''),
		imagery: fileOf('imagery/png'),
	};
	const plan = (parameters: Record<string, unknown>) =>
		planWith(createReferenceVideo, parameters, itemFilesWith(binary));
	const listsOf = (parameters: Record<string, unknown>) => {
		const { body } = plan(parameters);
		return Object.fromEntries(Object.entries(body).filter(([name]) => name.endsWith('_urls')));
	};
	const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://e.com/${at}.x`);

	test('go to the list of their type, in their order, after the addresses', () => {
		expect(
			listsOf({
				imageUrls: urls(2),
				audioUrls: urls(1),
				referenceBinaryProperties: 'd, c, b, a',
			}),
		).toEqual({
			image_urls: [...urls(2), 'n8n-file:d', 'n8n-file:a'],
			video_urls: ['n8n-file:c'],
			audio_urls: [...urls(1), 'n8n-file:b'],
		});
	});

	test('are sent as links beside the addresses', () => {
		const request = plan({ imageUrls: urls(1), referenceBinaryProperties: 'a' });
		expect(request.toSend()).toEqual({
			...request.body,
			image_urls: [urls(1)[0], expect.stringContaining('token=database:a.6h')],
		});
	});

	test.each<[unknown, string[]]>([
		['a,d', ['a', 'd']],
		[' a , d ,', ['a', 'd']],
		[',,a\n\nd\r\n', ['a', 'd']],
		[
			['d', 'a'],
			['d', 'a'],
		],
		[['d,a'], ['d', 'a']],
		[
			[['d'], '', null, 'a'],
			['d', 'a'],
		],
		[
			[binary.d, 'a'],
			['d', 'a'],
		],
		[binary.d, ['d']],
		['a, a', ['a', 'a']],
	])('are named as people name them: %j', (referenceBinaryProperties, names) => {
		expect(listsOf({ referenceBinaryProperties })).toEqual({
			image_urls: names.map((name) => `n8n-file:${name}`),
		});
	});

	test.each([undefined, null, '', ' , \n', [], ['', null]])(
		'may be left out, but not with all addresses: %j',
		(referenceBinaryProperties) => {
			expect(listsOf({ videoUrls: urls(1), referenceBinaryProperties })).toEqual({
				video_urls: urls(1),
			});
			expect(refusalOf(() => plan({ referenceBinaryProperties })).message).toBe(
				`${LABELS.imageUrls}, ${LABELS.videoUrls}, ${LABELS.audioUrls} and ${LABELS.referenceBinaryProperties}: are all empty.`,
			);
		},
	);

	test.each([
		['text', '"text" holds a file of the type text/plain, which is no picture, video or sound.'],
		['odd', '"odd" holds a file of unknown type, which is no picture, video or sound.'],
		[
			'imagery',
			'"imagery" holds a file of the type imagery/png, which is no picture, video or sound.',
		],
	])('are pictures, videos or sound: %s is not', (name, text) => {
		const { message } = refusalOf(() => plan({ referenceBinaryProperties: `a, ${name}` }));
		expect(message).toBe(`${LABELS.referenceBinaryProperties}: the binary field ${text}`);
	});

	test.each([
		['none', 'the input item has no binary field "none".'],
		[7, 'the binary field 7 is not a binary field.'],
		['a b', 'the input item has no binary field "a b".'],
	])('are fields of the item: %j is not', (given, text) => {
		const { message } = refusalOf(() => plan({ referenceBinaryProperties: ['a', given] }));
		expect(message).toBe(`${LABELS.referenceBinaryProperties}: ${text}`);
	});

	test.each([
		['imageUrls', 30, 'a', LABELS.imageUrls, 'up to 30 pictures, files included'],
		['videoUrls', 10, 'c', LABELS.videoUrls, 'up to 10 videos, files included'],
		['audioUrls', 10, 'b', LABELS.audioUrls, 'up to 10 sound files, files included'],
	])('count with the addresses: %s of %i', (name, max, file, label, allowed) => {
		expect(() => plan({ [name]: urls(max) })).not.toThrow();
		expect(() => plan({ [name]: urls(max - 1), referenceBinaryProperties: file })).not.toThrow();
		const refusal = refusalOf(() => plan({ [name]: urls(max), referenceBinaryProperties: file }));
		expect(refusal.message).toBe(`${label}: ${max + 1} were given.`);
		expect(refusal.advice).toContain(allowed);
	});
});
