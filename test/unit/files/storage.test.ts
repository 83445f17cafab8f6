/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileInMemory, fileOf, ItemFilesScene } from '../../support/itemFilesScene';
import { openBody } from '../../support/downloadScene';
import { samplePng } from '../../../tools/simulator/sampleFiles';
import { turnOfEventLoop } from '../../../tools/virtualClock';

const png = fileOf('image/png');
const ID = String(png.id);
/** The same before n8n has given its execution an ID. */
const temporary = { ...png, id: ID.replace('/executions/7/', '/executions/temp/') };
const FIELD = { displayName: 'Some Field' };
const take = async (scene: ItemFilesScene, file = png) =>
	await scene.files({ data: file })(FIELD, 'data', ['image', 'video']);
const referenceOf = (bytes: Buffer): string =>
	`n8n-file:${createHash('sha256').update(bytes).digest('base64url')}`;

describe('the content of a file', () => {
	const large = Buffer.alloc(40_000_000, 7);

	test('names it, whatever its size and wherever n8n keeps it', async () => {
		const scene = new ItemFilesScene({ contents: { [ID]: large } });
		expect((await take(scene)).reference).toBe(referenceOf(large));
		const inMemory = fileInMemory('image/png', samplePng([1]));
		expect((await take(scene, inMemory)).reference).toBe(referenceOf(samplePng([1])));
	});

	test('is read once in all runs of an execution, also after n8n has moved the file', async () => {
		const scene = new ItemFilesScene();
		await Promise.all([take(scene), take(scene), take(scene, temporary)]);
		await take(scene);
		expect(scene.reads).toEqual([ID]);
	});

	test('is read again after a try that failed', async () => {
		const gone = [ID];
		const scene = new ItemFilesScene({ gone });
		await expect(take(scene)).rejects.toThrow("is no longer in n8n's storage.");
		gone.pop();
		expect((await take(scene)).reference).toBe(referenceOf(samplePng()));
	});
});

test.each([
	['as it is', png, false],
	['because n8n keeps it only for now', temporary, true],
	['because its type is general', { ...png, mimeType: 'application/octet-stream' }, true],
	['as it is, with parameters of its type', { ...png, mimeType: 'Image/PNG; a=b' }, false],
])('a file is linked itself or, stored once more, its copy: %s', async (_why, file, isCopied) => {
	const scene = new ItemFilesScene();
	const links = [];
	for (const one of [await take(scene, file), await take(scene, file)]) {
		links.push(await one.url(), await one.url());
	}
	expect(new Set(links).size).toBe(4);
	const linked = isCopied ? 'copy-1' : 'image-png';
	for (const link of links) expect(link).toMatch(new RegExp(`/${linked}\\.6h\\.\\d$`));
	expect(scene.copies).toEqual(isCopied ? [[undefined, 'image/png', samplePng()]] : []);
});

describe('a run that is stopped', () => {
	const local = { n8nUrl: 'http://localhost:5678' };

	test.each([
		['read to be sent inline', local, png],
		['stored once more', {}, temporary],
	])('does not wait for a file that is %s', async (_what, settings, file) => {
		const stop = new AbortController();
		const bodies: Readable[] = [];
		const open = () => {
			// It is hashed before.
			const isFirst = bodies.length === 0;
			const body = isFirst ? Readable.from([samplePng()], { objectMode: false }) : openBody();
			bodies.push(body);
			return body;
		};
		const scene = new ItemFilesScene({ ...settings, end: stop.signal, open });
		const using = take(scene, file).then(async (taken) => await taken.url());
		await turnOfEventLoop();
		await turnOfEventLoop();
		expect(bodies).toHaveLength(2);
		stop.abort();
		await expect(using).rejects.toThrow('Stopped');
		expect(bodies.at(-1)?.destroyed).toBe(true);
	});

	test('closes a file that was opened too late', async () => {
		const stop = new AbortController();
		let opened: (body: Readable) => void = () => undefined;
		const open = async () => await new Promise<Readable>((resolve) => (opened = resolve));
		const using = take(new ItemFilesScene({ end: stop.signal, open }));
		await turnOfEventLoop();
		stop.abort();
		await expect(using).rejects.toThrow('Stopped');
		const body = openBody();
		opened(body);
		await turnOfEventLoop();
		expect(body.destroyed).toBe(true);
	});
});
