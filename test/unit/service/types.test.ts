import { rawAnswerOf, retryAfterMs } from '../../../nodes/Videogen/service/types';

const NOW = Date.parse('2026-01-01T00:00:00Z');
test.each([
	['0', 0],
	['2', 2_000],
	['1.5', 1_500],
	['0.0004', 0],
	['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
	['Wed, 31 Dec 2025 23:59:00 GMT', 0],
	[['5', '60'], 5_000],
	[['Thu, 01 Jan 2026 00:01:00 GMT'], 60_000],
])('Retry-After: %j is %j ms', (header, expected) =>
	expect(retryAfterMs(header, NOW)).toBe(expected),
);

test.each([undefined, null, '', ' ', 'soon', '-5', '5s', '1e3', [], [''], {}, true])(
	'Retry-After: %j says nothing',
	(header) => expect(retryAfterMs(header, NOW)).toBeUndefined(),
);

test.each([undefined, 'text', {}, { statusCode: '200' }])('%j is no HTTP answer of n8n', (value) =>
	expect(() => rawAnswerOf(value)).toThrow(),
);
