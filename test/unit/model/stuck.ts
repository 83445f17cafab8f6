import { isEditor } from './executions';
import type { Broken } from './judgePayments';
import { type Ending, isWell, lastOf, Person } from './person';
import { ordersIn } from './rules';
import { World } from './world';

const RETRIES: Ending[] = ['retry', 'retry max', 'retry resend'];
const NEW_RUNS: Ending[] = ['anew', 'anew max', 'anew resend'];
const EDITS: Ending[] = [
	...(['retry edit', 'retry edit max', 'anew edit', 'anew key', 'retry key'] as const),
];

/** Why a life that has not ended well is hard to bring to its end, once everything is well again. */
export function stuckEnds(seed: number, world: World): Broken[] {
	const last = lastOf(world);
	if (isWell(world, last) || last.status === 'canceled') return [];
	const has = (endings: Ending[]) => endings.some((ending) => endsWell(seed, world, ending));
	const orders = ordersIn(last.saved);
	const isSent = orders?.some(({ state }) => state === 'sent') ?? true;
	const isError = last.status === 'error';
	const rules: string[] = [];
	if (isError && !isSent && !has(['retry', 'retry max']))
		rules.push('no Retry ends it though nothing is unconfirmed');
	if (!has(RETRIES)) {
		if (!has(NEW_RUNS)) rules.push(has(EDITS) ? 'only an edit ends it' : 'nothing ends it');
		else if (isError) rules.push('only a new run ends it');
	}
	return rules.map((rule) => ({
		rule: `${rule}${aboutLife(world, orders)}`,
		what: `seed ${seed}`,
	}));
}

function endsWell(seed: number, { scenario }: World, ending: Ending): boolean {
	const person = new Person(new World(seed, scenario));
	person.live();
	return person.end(ending);
}

/** What explains it. */
function aboutLife(world: World, orders: ReturnType<typeof ordersIn>): string {
	const { scenario, settings } = world;
	const { keys, keepErrors } = scenario.service;
	const isNamed = orders?.some(({ state, taskId }) => state === 'sent' && taskId !== undefined);
	const hasKey = scenario.settings.keyField !== '' || settings.keyField !== '';
	return [
		...(isEditor(lastOf(world)) ? [' (editor)'] : []),
		...(isNamed ? [', an answer named a task'] : []),
		...(orders ? [] : [', unreadable']),
		...(hasKey ? [', key'] : []),
		...(keepErrors ? [', service keeps errors'] : []),
		...(keys === 'conflict' ? [', service answers 409 to a known key'] : []),
	].join('');
}
