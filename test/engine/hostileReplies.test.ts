import fc from 'fast-check';
import type { Fault } from '../../tools/simulator';
import { pollution, unreadable } from '../support/fuzz';
import type { RunResult } from '../support/engine';
import { CONTINUE, useEngine } from '../support/useEngine';

const RUNS = 250;
const MOST_MESSAGE_CHARACTERS = 700;
/** With the tasks of the other items; IDs are whole in it. */
const MOST_DESCRIPTION_CHARACTERS = 50_000;
/** Polling for half a minute; without an end to it there would be far more. */
const MOST_REQUESTS = 200;
const ITEMS = [{}, {}, {}];

const LONG = 100_000;
const HUGE = 2_000_000;
/** Deeper than a recursive program can follow. */
const DEEP = 50_000;

/** Values as JSON text, so that there can be what no program would write. */
const oddValue = fc.constantFrom(
	...['null', '-0', '1e999', '12345678901234567890', '""', '" "', '[]', '{}', '[null,{},"x",7]'],
	...['"\\u0000\\u0007\\u001b[31m"', '"\\ud800"', '"\\u202e\\u2066x"', '"a\\nb\\tc"'],
	...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
	...['{"toString":null,"valueOf":7,"hasOwnProperty":"x"}', '{"toJSON":"x","then":"y"}'],
	...['{"message":{"message":{"message":"x"}}}', '{"code":[1],"message":["a",["b"]],"type":{}}'],
);
const largeValue = fc.constantFrom(
	JSON.stringify('\u{1f98a}'.repeat(LONG)),
	JSON.stringify({ message: 'y '.repeat(LONG), code: 'z'.repeat(LONG) }),
	`${'['.repeat(DEEP)}1${']'.repeat(DEEP)}`,
	`${'{"error":'.repeat(DEEP)}"x"${'}'.repeat(DEEP)}`,
);
const value = fc.oneof(
	...[oddValue, fc.json({ maxDepth: 3 })].map((arbitrary) => ({ weight: 6, arbitrary })),
	{ weight: 1, arbitrary: largeValue },
);

const usually = (...usual: string[]) =>
	fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...usual) }, { weight: 3, arbitrary: value });
const otherName = fc.constantFrom(
	...['error', 'results', 'progress', 'task_info', 'usage', 'message', 'code', 'data', '__proto__'],
	...['constructor', 'toString', 'then'],
);

const known = fc.record(
	{
		id: usually('"task_1"', '7', '"a b/c?d#e%"', '"ü🦊"'),
		status: usually(
			...['"pending"', '"completed"', '"failed"', '"COMPLETED"', '"queued\\u0007\\n"'],
			JSON.stringify('q'.repeat(LONG)),
		),
	},
	{ requiredKeys: [] },
);
const others = fc.array(fc.tuple(otherName, value), { maxLength: 4 });
/** The text of a task record, more or less. */
const record = fc.tuple(known, others).map(([fields, more]) => {
	const all = [...Object.entries(fields), ...more];
	return `{${all.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
});

const INVALID_UTF8 = Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]);
const text = fc.oneof(
	{ weight: 4, arbitrary: record },
	{ weight: 1, arbitrary: value },
	{ weight: 1, arbitrary: fc.constantFrom(`"${'h'.repeat(HUGE)}"`, '<html>&lt;</html>', ' \n ') },
);
const body = fc.oneof(
	{ weight: 6, arbitrary: text.map((whole) => Buffer.from(whole)) },
	fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
	record.map((whole) => Buffer.concat([Buffer.from(whole.slice(0, 40)), INVALID_UTF8])),
	record.map((whole) => Buffer.from(whole.slice(0, -1))),
);

/** Whatever a broken or hostile service may answer. */
const hostileReply: fc.Arbitrary<Fault> = fc
	.record({
		status: fc.oneof(
			{ weight: 2, arbitrary: fc.constant(200) },
			fc.constantFrom(201, 204, 301, 400, 401, 402, 404, 418, 429, 500, 502, 599),
		),
		headers: fc.record(
			{
				'content-type': fc.constantFrom('application/json', 'text/html', 'image/png', 'x'),
				'retry-after': fc.constantFrom('0', '-1', '1e9', '999999999999', 'soon', '', '1.5'),
				location: fc.constantFrom('/', 'https://e.com/', 'x'.repeat(8_000), 'javascript:1', ''),
			},
			{ requiredKeys: [] },
		),
		body,
	})
	.map((reply) => ({ kind: 'raw', ...reply }));

const scene = fc.record({
	replies: fc.array(hostileReply, { minLength: 1, maxLength: 6 }),
	operation: fc.constantFrom('createTextVideo', 'getTask'),
	continues: fc.boolean(),
	waits: fc.boolean(),
});

const { simulator, run, runNode } = useEngine();

/** What is wrong with the texts that a person reads of a run. An item without an ID is an error. */
const objectionsTo = ({ output, error }: RunResult): string[] =>
	[...output.filter(({ json }) => json.id === undefined).map(({ json }) => json.error), error]
		.filter((text) => text !== undefined)
		.map(Object)
		.flatMap(({ message, description }) => [
			...unreadable(message, MOST_MESSAGE_CHARACTERS),
			...unreadable(description, MOST_DESCRIPTION_CHARACTERS),
		]);

/** One after the other, and then from the first again. */
function answerWith(replies: Fault[]): void {
	simulator.reset();
	for (let count = 0; count < MOST_REQUESTS; count += replies.length) {
		for (const fault of replies) simulator.script({ on: 'any', fault });
	}
}

test('whatever the service answers, a run ends in all its items or in words', async () => {
	await fc.assert(
		fc.asyncProperty(scene, async ({ replies, operation, continues, waits }) => {
			answerWith(replies);
			const result = await runNode({
				parameters: {
					operation,
					prompt: 'a red fox',
					taskId: 'task_1',
					waitForCompletion: waits,
					options: { timeoutMinutes: 0.5 },
				},
				items: ITEMS,
				settings: continues ? { onError: 'continueRegularOutput' } : {},
				// Without connections: broken framing would keep a socket waiting in real time.
				direct: simulator,
			});
			expect(objectionsTo(result)).toEqual([]);
			const isStopped = !continues && result.error !== undefined;
			expect(result.output).toHaveLength(isStopped ? 0 : ITEMS.length);
			expect(() => JSON.stringify(result.output)).not.toThrow();
			expect(simulator.requests.length).toBeLessThan(MOST_REQUESTS);
			expect(pollution()).toEqual([]);
		}),
		{ numRuns: RUNS },
	);
});

test.each(['{"error":{"toString":null}}', '{"code":{"toString":null,"valueOf":7}}'])(
	'what cannot become a text, as in %s, ends its item alone',
	async (reply) => {
		const fault: Fault = { kind: 'raw', status: 200, headers: {}, body: Buffer.from(reply) };
		simulator.script({ on: 'create', prompt: 'one', fault });
		const { output } = await run(['one', 'two'], { settings: CONTINUE });
		expect(output.map(({ json }) => json)).toMatchObject([
			{ error: { kind: 'noAnswer' } },
			{ status: 'completed' },
		]);
	},
);
