import fc from 'fast-check';
import type { ResultSource } from '../../../nodes/Videogen/downloads/fileName';
import { fileFactsOf } from '../../../nodes/Videogen/downloads/fileName';
import { manyRuns } from '../../support/fuzz';

const factsOf = (source: Partial<ResultSource>, headers: Record<string, unknown> = {}) =>
	fileFactsOf({ url: 'https://e.com/', taskId: 'task_1', index: 0, ...source }, headers);

const named = (url: string, headers: Record<string, unknown> = {}) =>
	factsOf({ url }, headers).fileName;

/** A name given by the host's `Content-Disposition`. */
const disposed = (disposition: unknown) =>
	named('https://e.com/', { 'content-disposition': disposition });

describe('the name in an address', () => {
	test.each([
		['https://e.com/a/fox.mp4', 'fox.mp4'],
		['https://e.com/fox.MP4?token=a/b.png#c/d.png', 'fox.mp4'],
		['https://e.com/a%20fox%20(1).mp4', 'a fox (1).mp4'],
		['https://e.com/%D0%BB%D0%B8%D1%81%D0%B0.mp4', 'лиса.mp4'],
		['https://e.com/my.red.fox.mp4', 'my.red.fox.mp4'],
		['https://e.com/fox.', 'fox.mp4'],
		['https://e.com/fox.exe', 'fox.mp4'],
		['https://e.com/fox%ZZ.mp4', 'fox_ZZ.mp4'],
		['https://e.com/..%2F..%2Fetc%2Ffox.mp4', 'fox.mp4'],
		['https://e.com/..%5C..%5Cfox.mp4', 'fox.mp4'],
		['https://e.com/a%00%0A%1Bfox.mp4', 'afox.mp4'],
		['https://e.com/fox%E2%80%AE4pm.exe', 'fox4pm.mp4'],
		['https://e.com/a%3Cb%3E%3A%22%7C%3F*c.mp4', 'a_b_c.mp4'],
		['https://e.com/$(rm)%60x%60.mp4', '_(rm)_x_.mp4'],
		['https://e.com/%20%20.fox.%20.mp4', 'fox.mp4'],
		['https://e.com/a%20%20%C2%A0fox.mp4', 'a fox.mp4'],
		['https://e.com/cafe%CC%81.mp4', 'caf\u00e9.mp4'],
		['https://e.com/the.fox.returning', 'the.fox.returning.mp4'],
	])('%s gives %s', (url, fileName) => expect(named(url)).toBe(fileName));

	test.each([
		...['https://e.com/a/', 'https://e.com/1.mp4', 'https://e.com/video.mp4'],
		...['https://e.com/Output_00-1.mp4', 'https://e.com/.mp4', 'https://e.com/%20.mp4'],
		...['https://e.com/%2E%2E.mp4', 'https://e.com/___.mp4', 'https://e.com/%F0%9F%A6%8A.mp4'],
		...['https://e.com/con.mp4', 'https://e.com/com1.mp4', 'https://e.com/aux.old.mp4'],
		'https://e.com/COM%C2%B9.mp4',
	])('%s says nothing: the task gives the name', (url) => expect(named(url)).toBe('task_1.mp4'));

	test.each(['https://e.com/videos-of-a-fox.mp4', 'https://e.com/com.mp4'])(
		'%s says something',
		(url) => expect(named(url)).toBe(url.split('/').at(-1)),
	);
});

describe('the name in the response', () => {
	test.each<[unknown, string]>([
		['attachment; filename=fox.mp4', 'fox.mp4'],
		['attachment; filename="red fox.mp4"', 'red fox.mp4'],
		['attachment; filename="a \\"red\\" fox.mp4"; size=7', 'a _red_ fox.mp4'],
		['attachment; filename="C:\\\\videos\\\\fox.mp4"', 'fox.mp4'],
		['inline;FILENAME = fox.mp4;x=y', 'fox.mp4'],
		["attachment; filename=plain.mp4; filename*=UTF-8''red%20fox.mp4", 'red fox.mp4'],
		["attachment; filename*=utf-8'en'red%20fox.mp4; filename=plain.mp4", 'red fox.mp4'],
		["attachment; filename*=UTF-8''..%2F..%2Ffox.mp4", 'fox.mp4'],
		['attachment; filename="fox;of;mine.mp4"', 'fox;of;mine.mp4'],
		['attachment; filename=""', 'task_1.mp4'],
		['attachment; filename="video.mp4"', 'task_1.mp4'],
		['attachment; filename="fox', '_fox.mp4'],
		[undefined, 'task_1.mp4'],
		[['attachment; filename=fox.mp4'], 'task_1.mp4'],
	])('%j gives %s', (disposition, fileName) => expect(disposed(disposition)).toBe(fileName));

	test('comes before the one in the address, unless it says nothing', () => {
		const url = 'https://e.com/from-url.mp4';
		const both = (name: string) =>
			named(url, { 'content-disposition': `inline; filename=${name}` });
		expect(both('from-header.mp4')).toBe('from-header.mp4');
		expect(both('video.mp4')).toBe('from-url.mp4');
	});
});

describe('type and extension', () => {
	test.each([
		['https://e.com/fox.exe', 'video/mp4', 'fox.mp4', 'video/mp4'],
		['https://e.com/fox.mp4', 'image/png', 'fox.png', 'image/png'],
		['https://e.com/1.webm', 'binary/octet-stream', 'task_1.webm', 'video/webm'],
		['https://e.com/1', 'audio/mpeg', 'task_1.mp3', 'audio/mpeg'],
		['https://e.com/fox', 'application/octet-stream', 'fox.mp4', 'video/mp4'],
		['https://e.com/fox.exe', 'application/x-dosexec', 'fox.mp4', 'video/mp4'],
	])('of %s as %j are %s, %s', (url, contentType, fileName, mediaType) => {
		const headers = { 'content-type': contentType };
		expect(factsOf({ url }, headers)).toEqual({ fileName, mediaType });
	});

	test('go by the address when the name in the response has no extension', () => {
		const headers = { 'content-disposition': 'inline; filename=fox' };
		expect(factsOf({ url: 'https://e.com/a.webm' }, headers)).toEqual({
			fileName: 'fox.webm',
			mediaType: 'video/webm',
		});
	});
});

describe('the name after the task', () => {
	test('is counted from the second result on', () => {
		const of = (index: number, url: string) => factsOf({ index, url }).fileName;
		expect(of(0, 'https://e.com/0.mp4')).toBe('task_1.mp4');
		expect(of(1, 'https://e.com/1.png')).toBe('task_1_1.png');
		expect(of(2, 'https://e.com/fox.png')).toBe('fox.png');
	});

	test.each([
		['../../x', '_.._x.mp4'],
		['a/b\\c', 'a_b_c.mp4'],
		['...', 'video.mp4'],
		['CON', 'video.mp4'],
		['t'.repeat(300), `${'t'.repeat(100)}.mp4`],
	])('is fit for a disk whatever the id: %s', (taskId, fileName) =>
		expect(factsOf({ taskId }).fileName).toBe(fileName),
	);
});

describe('a long name', () => {
	test.each(['x', 'é', '漢', '🦊a', 'a🦊'])('of %s is cut between two characters', (text) => {
		const stem = named(`https://e.com/${encodeURIComponent(text.repeat(300))}.mp4`);
		expect(Buffer.byteLength(stem)).toBeLessThanOrEqual(104);
		expect(stem.endsWith('.mp4')).toBe(true);
		expect(text.repeat(300).startsWith(stem.slice(0, -4))).toBe(true);
		expect(stem).not.toMatch(/\p{Cs}/u);
		expect(Buffer.byteLength(stem)).toBeGreaterThan(100);
	});

	test('keeps the end of neither spaces nor dots', () => {
		expect(named(`https://e.com/${'x'.repeat(98)}%20.%20yyy.mp4`)).toBe(`${'x'.repeat(98)}.mp4`);
	});

	// Without an end to speak of when any of it goes back and forth in the text.
	test('of a million characters becomes a short one', () => {
		const long = 'a. '.repeat(300_000);
		const names = [
			disposed(`attachment; filename="${long}"`),
			disposed(`attachment; filename="${'\\'.repeat(1_000_000)}`),
			named(`https://e.com/${long}`),
			named(`https://e.com/${'1_'.repeat(500_000)}x`),
			factsOf({ taskId: long }).fileName,
		];
		expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(120);
	});
});

const WICKED = [
	...['../', '..\\', '\u0000', '\u202e', '\ud800', '\udc00', '.exe', 'CON', '%', '"', ';'],
];
const wickedText = fc
	.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...WICKED)), { maxLength: 30 })
	.map((parts) => parts.join(''));
const contentTypes = fc.constantFrom(undefined, 'video/mp4', 'image/png', 'a/b', 'x-y/z; q=1', '');

test('whatever the host says, name and type are fit for n8n and for a disk', () => {
	const source = fc.record({
		url: fc.oneof(
			wickedText,
			wickedText.map((text) => `https://e.com/${text}`),
			fc.string({ unit: 'binary' }).map((text) => {
				return `https://e.com/${Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`;
			}),
		),
		headers: fc.record({
			'content-type': fc.oneof(contentTypes, wickedText),
			'content-disposition': fc.oneof(
				wickedText,
				wickedText.map((text) => `attachment; filename="${text}"`),
				wickedText.map((text) => `attachment; filename=${text}`),
				wickedText.map((text) => `attachment; filename*=UTF-8''${text}`),
			),
		}),
		taskId: wickedText,
		index: fc.nat(20),
	});
	fc.assert(
		fc.property(source, (given) => {
			const { fileName, mediaType } = fileFactsOf(given, given.headers);
			expect(fileName).toMatch(/^[^/\\<>:"|?*\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+\.[a-z\d]{1,8}$/u);
			expect(fileName).not.toMatch(/^[\s.]|[\s.]\.[a-z\d]{1,8}$/);
			expect(fileName).toMatch(/[\p{L}\p{N}].*\./u);
			expect(fileName).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i);
			expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(120);
			expect(mediaType).toMatch(/^[^\s;/]+\/[^\s;/]+$/);
			if (mediaType === 'video/mp4') expect(fileName).toMatch(/\.(?:mp4|m4v)$/);
			if (mediaType === 'image/png') expect(fileName).toMatch(/\.png$/);
		}),
		{ numRuns: manyRuns() },
	);
});
