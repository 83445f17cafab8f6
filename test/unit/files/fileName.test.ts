import fc from 'fast-check';
import { type ResultSource, fileFactsOf } from '../../../nodes/Videogen/files/fileName';
import { manyRuns } from '../../programs/support/fuzz';

const factsOf = (source: Partial<ResultSource>, headers: Record<string, unknown> = {}) =>
	fileFactsOf({ url: 'https://e.com/', taskId: 'task_1', index: 0, ...source }, headers);

describe('the name of a file', () => {
	test.each([
		['A red fox runs', 'a-red-fox-runs_task_1.mp4'],
		['A red fox runs through fresh snow', 'a-red-fox-runs-through-fresh_task_1.mp4'],
		['  “Fox”, 2 of 3:\n(at night)!', 'fox-2-of-3-at-night_task_1.mp4'],
		['Лиса бежит по снегу', 'лиса-бежит-по-снегу_task_1.mp4'],
		['赤い狐が雪の中を走る', '赤い狐が雪の中を走る_task_1.mp4'],
		['हिमपात में लोमड़ी', 'हिमपात-में-लोमड़ी_task_1.mp4'],
		['cafe\u0301', 'caf\u00e9_task_1.mp4'],
		['x'.repeat(300), `${'x'.repeat(30)}_task_1.mp4`],
		[`${'x'.repeat(30)} y`, `${'x'.repeat(30)}_task_1.mp4`],
		['\u{20000}'.repeat(300), `${'\u{20000}'.repeat(30)}_task_1.mp4`],
		['../../etc/passwd', 'etc-passwd_task_1.mp4'],
		['CON', 'con_task_1.mp4'],
		['🦊 → 🌨', 'task_1.mp4'],
		['', 'task_1.mp4'],
		[undefined, 'task_1.mp4'],
	])('begins as the prompt %j: %s', (prompt, fileName) =>
		expect(factsOf({ prompt }).fileName).toBe(fileName),
	);

	test('is counted from the second result on', () => {
		expect(factsOf({ prompt: 'Fox', index: 1 }).fileName).toBe('fox_task_1_1.mp4');
		expect(factsOf({ index: 2, url: 'https://e.com/last.png' }).fileName).toBe('task_1_2.png');
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

	test('has nothing of the host in it', () => {
		const headers = { 'content-disposition': 'attachment; filename="host.mp4"' };
		const url = 'https://e.com/clip.mp4';
		expect(factsOf({ url }, headers).fileName).toBe('task_1.mp4');
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
		),
		headers: fc.record({
			'content-type': fc.oneof(contentTypes, wickedText),
		}),
		taskId: wickedText,
		prompt: wickedText,
		index: fc.nat(20),
	});
	fc.assert(
		fc.property(source, (given) => {
			const { fileName, mediaType } = fileFactsOf(given, given.headers);
			expect(fileName).toMatch(/^[^/\\<>:"|?*\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+\.[a-z\d]{1,8}$/u);
			expect(fileName).not.toMatch(/^[\s.]|[\s.]\.[a-z\d]{1,8}$/);
			expect(fileName).toMatch(/[\p{L}\p{N}].*\./u);
			expect(fileName).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i);
			expect(Buffer.byteLength(fileName)).toBeLessThanOrEqual(255);
			expect(mediaType).toMatch(/^[^\s;/]+\/[^\s;/]+$/);
			if (mediaType === 'video/mp4') expect(fileName).toMatch(/\.(?:mp4|m4v)$/);
			if (mediaType === 'image/png') expect(fileName).toMatch(/\.png$/);
		}),
		{ numRuns: manyRuns() },
	);
});
