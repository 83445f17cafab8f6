import { derivedKey, nextKey, randomKey } from '../../../nodes/Videogen/work/orderKey';

/** With the bits of version 4 and variant 10 (RFC 9562). */
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const many = Array.from({ length: 200 }, (_, index) => index);

test('every key is a UUID, a derived one in the form of a random one', () => {
	const keys = many.flatMap((index) => [randomKey(), derivedKey([index])]);
	expect(keys.filter((key) => !UUID.test(key))).toEqual([]);
	expect(new Set(keys).size).toBe(keys.length);
});

test('a derived key follows from its parts alone, and from all of them', () => {
	const parts = ['instance', 'workflow', { prompt: 'A fox' }, 0];
	expect(derivedKey(structuredClone(parts))).toBe(derivedKey(parts));
	const others = [['instance', 'workflow'], ['instanceworkflow'], [...parts.slice(0, -1), 1]];
	expect(new Set([parts, ...others].map(derivedKey)).size).toBe(4);
});

test('its bits are spread over the whole key', () => {
	const letters = many.map((index) => [...derivedKey([index])]);
	const fixed = letters[0]?.filter((letter, at) => letters.every((key) => key[at] === letter));
	expect(fixed?.join('')).toBe('--4--');
});

test('the chain of keys is the same for everybody, and goes by what came of the earlier order', () => {
	const chain = (...cameTo: Array<string | undefined>) => {
		let key = derivedKey(['first']);
		for (const taskId of cameTo) key = nextKey(key, taskId);
		return key;
	};
	expect(chain('task_1', undefined)).toBe(chain('task_1', undefined));
	const keys = [
		chain(),
		chain('task_1'),
		chain('task_2'),
		chain(undefined),
		chain('task_1', 'task_1'),
	];
	expect(new Set(keys).size).toBe(keys.length);
	expect(keys.filter((key) => !UUID.test(key))).toEqual([]);
});
