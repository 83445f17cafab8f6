import type { IBinaryKeyData } from 'n8n-workflow';
import {
	type ItemFile,
	type MediaKind,
	refuseTooMuchInline,
	withLinks,
	withReferences,
} from '../../../nodes/Videogen/files/inputs';
import {
	fileInMemory,
	fileOf,
	itemFilesWith,
	invalidOf,
	refusalOfPlan,
	type StoreSettings,
} from '../../support/itemFilesScene';
import { samplePng, sampleWav } from '../../../tools/simulator/sampleFiles';

const png = fileOf('image/png');
const clip = fileOf('video/mp4');
const inMemory = fileInMemory('image/png', samplePng());
const FIELD = { displayName: 'Some Field' };
const LOCAL = { n8nUrl: 'http://localhost:5678' };

const take = async (
	binary: Parameters<typeof itemFilesWith>[0],
	settings: StoreSettings = {},
	{ name = 'data', kinds = ['image', 'video'] satisfies MediaKind[], orOnlyOne = false } = {},
): Promise<ItemFile> => await itemFilesWith(binary, settings)(FIELD, name, kinds, orOnlyOne);

describe('a name of a binary field', () => {
	const text = fileOf('text/plain');
	test.each<[string, IBinaryKeyData | undefined, name: string, says: RegExp, isTool?: boolean]>([
		['of another file', { photo: png, clip }, 'data', /no file named "data".*"photo", "clip"/],
		['of no file', {}, 'data', /no file named "data".*a node that gives a file/],
		['of a tool, which has none,', undefined, 'data', /Tools get no files/, true],
		['of every object', { photo: png }, 'constructor', /no file named "constructor"/],
		['of another type', { data: fileOf('audio/mpeg') }, 'data', /"data" is no image or video/],
		['of no media', { data: text }, 'data', /"data" is no image or video/],
	])('%s is refused by its field', async (_what, binary, name, says, ...[isTool]) => {
		const contents = { [String(text.id)]: Buffer.from('Hello, you') };
		const refused = await refusalOfPlan(take(binary, { contents, isTool }, { name }));
		expect(refused.field).toBe(FIELD);
		expect(`${refused.message} ${refused.advice}`).toMatch(says);
	});

	test.each([
		['the only image', { photo: png, clip }, true, true],
		['one without a type', { photo: fileOf('', { id: 'database:p' }), clip }, true, true],
		['none of two', { photo: png, other: fileOf('image/webp') }, true, false],
		['none unasked', { photo: png }, false, false],
	])('of no file takes %s', async (_what, binary, orOnlyOne, isTaken) => {
		const taken = take(binary, {}, { kinds: ['image'], orOnlyOne });
		if (isTaken) expect((await taken).isOf('image')).toBe(true);
		else expect((await refusalOfPlan(taken)).message).toContain('no file named "data"');
	});
});

test.each<[mimeType: string, bytes: Buffer, kind: MediaKind]>([
	[' Video/MP4 ; charset=binary', samplePng(), 'video'],
	['application/octet-stream', samplePng(), 'image'],
	['', sampleWav(), 'audio'],
])('a file of the type %j is what n8n says, or its first bytes', async (mimeType, bytes, kind) => {
	const kinds: MediaKind[] = ['image', 'video', 'audio'];
	const practice = { contents: { [String(png.id)]: bytes }, serviceUrl: undefined };
	for (const file of [{ ...png, mimeType }, fileInMemory(mimeType, bytes)]) {
		const taken = await itemFilesWith({ data: file }, practice)(FIELD, 'data', kinds);
		expect(kinds.filter((one) => taken.isOf(one))).toEqual([kind]);
		// Practice opens nothing.
		expect([await taken.url(), taken.inlineBytes]).toEqual([taken.reference, 0]);
	}
});

describe('where n8n has no link that the service can open', () => {
	test.each([
		['on the disk', png],
		['in memory', inMemory],
	])('an image goes inline: %s', async (_where, file) => {
		const inline = await take({ data: file }, LOCAL);
		expect(await inline.url()).toBe(`data:image/png;base64,${samplePng().toString('base64')}`);
		expect(inline.inlineBytes).toBe(samplePng().length);
	});

	test.each([
		['on the disk', clip, 'localhost', 'WEBHOOK_URL'],
		['in memory', fileInMemory('video/mp4', samplePng()), 'in its memory', 'filesystem'],
	])('a video is refused: %s', async (_where, data, why, advice) => {
		const refused = await refusalOfPlan(take({ data }, LOCAL));
		expect(refused.message).toContain(why);
		expect(refused.advice).toContain(advice);
		// One more may follow: what to do about other items.
		expect(refused.advice.match(/[.](?: |$)/g)).toHaveLength(2);
	});

	test('a request has up to 20 MB of images', async () => {
		const contents = { [String(png.id)]: Buffer.alloc(10_000_000) };
		const image = await take({ data: png }, { ...LOCAL, contents });
		refuseTooMuchInline([image, image]);
		const small = await take({ data: inMemory }, LOCAL);
		expect(invalidOf(() => refuseTooMuchInline([image, small, image])).message).toContain('21 MB');
	});
});

test('a file that is gone is refused when it is named, and when it is sent', async () => {
	const gone: string[] = [];
	const data = fileOf('image/png', { mimeType: '' });
	const taken = await take({ data }, { gone });
	gone.push(String(data.id));
	expect((await refusalOfPlan(taken.url())).message).toContain('"data" is no longer in n8n');
	expect((await refusalOfPlan(take({ data }, { gone }))).advice).toContain('Upload it again');
});

test('a request is saved with references to its files, and refused without one of them', async () => {
	const url = 'https://e.com/1';
	const image = await take({ data: png });
	const video = await take(
		{ data: clip },
		{ contents: { [String(clip.id)]: Buffer.from('clip') } },
	);
	const values = { prompt: 'n8n-file:x', duration: 5, audio_urls: [] };
	const media = { image_urls: [url, image, image], video_urls: [video] };
	const { request, files } = withReferences({ ...values, ...media, quality: undefined });
	const { reference } = image;
	expect(reference).toMatch(/^n8n-file:[\w-]{43}$/);
	const lists = { image_urls: [url, reference, reference], video_urls: [video.reference] };
	expect(request).toStrictEqual({ ...values, ...lists });
	expect(files).toEqual([image, image, video]);
	const saved = JSON.parse(JSON.stringify(request));
	const refused = await refusalOfPlan(withLinks(saved, [image]));
	expect(refused.message).toContain('did not come in');
});
