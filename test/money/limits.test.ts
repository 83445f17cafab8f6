import { errorOf, type RunResult } from '../support/engine';
import {
	CONTINUE,
	idsOf,
	kindOf,
	NO_WAIT,
	numbered as prompts,
	status,
	statusesOf,
	tries,
	useEngine,
} from '../support/useEngine';

const { simulator, run, taskOf } = useEngine();

const limited = (maxNewTasks: number) => ({ options: { maxNewTasks, maxConcurrentTasks: 200 } });

const LABEL = 'Max New Videos';

/** What the message names where so many would be created. */
const limitOf = (max: number, count: number) =>
	expect.stringMatching(new RegExp(`${LABEL}.*\\b${max}\\b.*\\b${count}\\b`));

/** The kinds of the errors among the items. */
const kindsIn = ({ output }: RunResult): unknown[] =>
	output.flatMap(({ json: { error } }) => (error ? Reflect.get(Object(error), 'kind') : []));

describe('the limit of new videos per execution', () => {
	test('is 100 in production unless it is set, and refuses the run as a whole', async () => {
		const { message, description, context } = errorOf(await run(prompts(101)));
		expect(context.kind).toBe('limit');
		expect(message).toEqual(limitOf(100, 101));
		expect(description).toContain(LABEL);
		expect(simulator.requests).toEqual([]);
	});

	test('is 10 in a manual execution, for practice too', async () => {
		const given = { mode: 'manual', more: NO_WAIT } as const;
		expect(errorOf(await run(prompts(11), given)).message).toEqual(limitOf(10, 11));
		const credential = { environment: 'practice' };
		expect(kindOf(await run(prompts(11), { ...given, credential }))).toBe('limit');
		expect((await run(prompts(10), { ...given, credential })).status).toBe('success');
		expect(simulator.requests).toEqual([]);
	});

	test('lets as many through as it says, and is at least 1', async () => {
		expect((await run(prompts(3), { more: limited(3) })).status).toBe('success');
		const none = errorOf(await run(prompts(1), { more: limited(0) }));
		expect(none.context.kind).toBe('invalid');
		expect(none.message).toContain(LABEL);
		expect(simulator.tasks.size).toBe(3);
	});

	test('is that of the first item that can be sent', async () => {
		const more = { options: { maxNewTasks: '={{ $json.prompt ? 1 : 100 }}' } };
		const result = await run(['', 'one', 'two'], { more, settings: CONTINUE });
		expect(kindsIn(result)).toEqual(['invalid', 'limit', 'limit']);
		expect(simulator.requests).toEqual([]);
	});

	test('counts the tries of an execution together, and no task twice', async () => {
		simulator.script({ on: 'task', times: Infinity, fault: status(403) });
		const result = await run(['one'], { more: limited(1), settings: tries(3) });
		expect(kindOf(result)).toBe('key');
		expect(simulator.tasks.size).toBe(1);
	});

	test('counts a task to be created anew in the same execution before anything is created', async () => {
		simulator.planTask({ prompt: 'number 0', outcome: 'failed', durationMs: 1_000 });
		const more = { options: { maxConcurrentTasks: 1, maxNewTasks: 3 } };
		const result = await run(prompts(3), { more, settings: tries(2) });
		expect(kindOf(result)).toBe('limit');
		expect(errorOf(result).message).toContain('create 3 videos');
		expect(errorOf(result).message).toContain('after 1 before');
		expect(simulator.tasks.size).toBe(1);
	});

	test('starts anew for a Retry, and waits for the tasks that exist when it refuses one', async () => {
		simulator.script({ on: 'create', prompt: 'number 1', fault: status(400) });
		const first = await run(prompts(3), { more: limited(3) });
		const exist = simulator.tasks.size;
		const given = { more: limited(1), settings: CONTINUE, retryOf: first };
		const second = await run(prompts(5), given);
		expect(idsOf(second)[0]).toBe(taskOf('number 0').id);
		expect(statusesOf(second).filter((one) => one === 'completed')).toHaveLength(exist);
		expect(kindsIn(second)).toEqual(Array(5 - exist).fill('limit'));
		expect(simulator.tasks.size).toBe(exist);
		const third = await run(prompts(5), { ...given, more: limited(5 - exist) });
		expect(new Set(idsOf(third)).size).toBe(5);
	});
});
