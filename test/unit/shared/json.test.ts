import { parseJson, throughJson } from '../../../nodes/Videogen/shared/json';

/** Lists and objects in turn, this deep. */
const nested = (depth: number): string => {
	let text = '1';
	for (let level = 0; level < depth; level += 1) text = level % 2 ? `{"a":${text}}` : `[${text}]`;
	return text;
};

test.each(['', 'x', '{"a":', 'undefined'])('%j is no JSON', (text) =>
	expect(parseJson(text)).toBeUndefined(),
);

test('JSON is taken as deep as anybody means, and no deeper', () => {
	expect(JSON.stringify(parseJson(nested(500)))).toBe(nested(500));
	expect([501, 5_000].map((depth) => parseJson(nested(depth)))).toEqual([undefined, undefined]);
});

test('a value that cannot be sent as JSON is none', () => {
	const circle: Record<string, unknown> = {};
	circle.self = circle;
	expect(throughJson(circle)).toBeUndefined();
	expect(throughJson({ a: new Date(0), b: undefined })).toEqual({ a: '1970-01-01T00:00:00.000Z' });
});
