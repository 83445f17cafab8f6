import fc from 'fast-check';
import { fileNameOf } from '../../../nodes/Videogen/files/names';
import { manyRuns } from '../../support/fuzz';

const nameWith = (prompt: string | undefined, taskId = 'task_12-8fk2', index = 0): string =>
	fileNameOf(taskId, index, 'video/mp4', prompt);

test.each([
	['A red fox runs through fresh snow', 'a-red-fox-runs-through-fresh-8fk2.mp4'],
	['  “Fox”, 2 of 3:\n(at night)!', 'fox-2-of-3-at-night-8fk2.mp4'],
	['赤い狐が雪の中を走る', '赤い狐が雪の中を走る-8fk2.mp4'],
	['हिमपात में लोमड़ी', 'हिमपात-में-लोमड़ी-8fk2.mp4'],
	['cafe\u0301', 'caf\u00e9-8fk2.mp4'],
	['x'.repeat(300), `${'x'.repeat(30)}-8fk2.mp4`],
	['\u{20000}'.repeat(300), `${'\u{20000}'.repeat(30)}-8fk2.mp4`],
	['../../etc/passwd', 'etc-passwd-8fk2.mp4'],
	['🦊❄️🔥', 'video-8fk2.mp4'],
	['❄️ A fox', 'a-fox-8fk2.mp4'],
	[undefined, 'video-8fk2.mp4'],
])('the name of a file begins as the prompt %j: %s', (prompt, name) =>
	expect(nameWith(prompt)).toBe(name),
);

test.each([
	['abc', 'fox-abc.mp4'],
	['a/b\\..c-D', 'fox-abcD.mp4'],
	['practice-k2-6-completed-0-1a2b3c4d', 'practice-fox-3c4d.mp4'],
	['…', 'fox.mp4'],
])('it ends as the id %j: %s', (taskId, name) => expect(nameWith('Fox', taskId)).toBe(name));

test('it is counted from the second result on, and has the extension of its type', () => {
	expect(nameWith('Fox', '8fk2', 1)).toBe('fox-8fk2_1.mp4');
	expect(fileNameOf('8fk2', 2, 'image/png')).toBe('video-8fk2_2.png');
});

const WICKED = [...'%";', '../', '..\\', '\u0000', '\u202e', '\ud800', '\udc00', '.exe', 'CON'];
const wickedText = fc
	.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...WICKED)), { maxLength: 30 })
	.map((parts) => parts.join(''));

test('it is fit for a disk, whatever prompt, id and type are', () => {
	fc.assert(
		fc.property(wickedText, wickedText, wickedText, fc.nat(20), (id, prompt, type, index) => {
			const name = fileNameOf(`${id}1`, index, type, prompt);
			expect(name).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*\.[a-z\d]{1,8}$/u);
			expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i);
			expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
		}),
		{ numRuns: manyRuns() },
	);
});
