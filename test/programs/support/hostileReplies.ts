import fc from 'fast-check';

/** An answer as it goes over the wire. */
export interface RawReply {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

const LONG = 100_000;
const HUGE = 2_000_000;
/** Deeper than a recursive program can follow. */
const DEEP = 50_000;

const deepList = `${'['.repeat(DEEP)}1${']'.repeat(DEEP)}`;
const deepObject = `${'{"error":'.repeat(DEEP)}"x"${'}'.repeat(DEEP)}`;

/** Values as JSON text, so that there can be what no program would write. */
const oddValue = fc.constantFrom(
	...['null', 'true', '0', '-0', '1e999', '12345678901234567890', '1.5', '""', '" "'],
	...['"\\u0000\\u0007\\u001b[31m"', '"\\ud800"', '"\\u202e\\u2066x"', '"a\\nb\\tc"', '[]', '{}'],
	...['[[[[[[[[]]]]]]]]', '[null,{},[],"x",7]', '{"__proto__":{"polluted":true}}'],
	'{"constructor":{"prototype":{"polluted":true}}}',
	'{"toString":null,"valueOf":7,"hasOwnProperty":"x"}',
	'{"message":{"message":{"message":{"message":{"message":{"message":"x"}}}}}}',
	...['{"code":[1],"message":["a",["b"]],"type":{}}', '{"toJSON":"x","then":"y"}'],
);
const largeValue = fc.constantFrom(
	JSON.stringify('x'.repeat(LONG)),
	JSON.stringify('\u{1f98a}'.repeat(LONG)),
	JSON.stringify({ message: 'y '.repeat(LONG), code: 'z'.repeat(LONG) }),
	JSON.stringify(Array.from({ length: 20_000 }, (_, index) => index)),
	deepList,
	deepObject,
);
const value = fc.oneof(
	{ weight: 6, arbitrary: oddValue },
	{ weight: 6, arbitrary: fc.json({ maxDepth: 3 }) },
	{ weight: 1, arbitrary: largeValue },
);

const id = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom('"task_1"', '7', '"a b/c?d#e%"', '"ü🦊"') },
	{ weight: 3, arbitrary: value },
);
const status = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.constantFrom(
			...['"pending"', '"completed"', '"failed"', '"COMPLETED"', '"queued\\u0007\\n"'],
			JSON.stringify('q'.repeat(LONG)),
		),
	},
	{ weight: 3, arbitrary: value },
);
const otherName = fc.constantFrom(
	...['error', 'results', 'progress', 'task_info', 'usage', 'message', 'code', 'data', '__proto__'],
	...['constructor', 'toString', 'then'],
);

const record = fc
	.tuple(
		fc.option(id, { freq: 6 }),
		fc.option(status, { freq: 6 }),
		fc.array(fc.tuple(otherName, value), { maxLength: 4 }),
	)
	.map(([idText, statusText, others]) => {
		const pairs = [['id', idText], ['status', statusText], ...others];
		const given = pairs.filter(([, text]) => text !== null);
		return `{${given.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
	});

const bytes = fc.oneof(
	{ weight: 12, arbitrary: record.map((text) => Buffer.from(text)) },
	{ weight: 4, arbitrary: value.map((text) => Buffer.from(text)) },
	{ weight: 2, arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)) },
	{
		weight: 2,
		arbitrary: record.map((text) => Buffer.concat([Buffer.from(text.slice(0, 40)), INVALID_UTF8])),
	},
	{ weight: 1, arbitrary: record.map((text) => Buffer.from(text.slice(0, -1))) },
	{ weight: 1, arbitrary: fc.constant(Buffer.from(`"${'h'.repeat(HUGE)}"`)) },
	{ weight: 1, arbitrary: fc.constant(Buffer.from(`<html>${'&lt;'.repeat(LONG)}</html>`)) },
	{ weight: 1, arbitrary: fc.constant(Buffer.from(' \n ')) },
);
const INVALID_UTF8 = Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]);

const statusCode = fc.oneof(
	{ weight: 8, arbitrary: fc.constant(200) },
	{
		weight: 4,
		arbitrary: fc.constantFrom(201, 204, 301, 302, 400, 401, 402, 404, 418, 429, 500, 502, 599),
	},
);

const headers = fc.record(
	{
		'content-type': fc.constantFrom('application/json', 'text/html', 'image/png', 'x'),
		'retry-after': fc.constantFrom('0', '-1', '1e9', '999999999999', 'soon', '', '1.5'),
		location: fc.constantFrom('/', 'https://e.com/', 'x'.repeat(8_000), 'javascript:1', ''),
	},
	{ requiredKeys: [] },
);

/** Whatever a broken or hostile service may answer. */
export const hostileReply: fc.Arbitrary<RawReply> = fc
	.record({ status: statusCode, headers, body: bytes })
	.map((reply) => (reply.status === 204 ? { ...reply, body: Buffer.alloc(0) } : reply));
