import { savedBook } from '../../../nodes/Videogen/work/book';
import { type Order, taskIdOf } from '../../../nodes/Videogen/work/order';
import { isEditor } from './executions';
import type { Broken } from './judgePayments';
import { type LifeEnding, isWell, lastOf, Person } from './person';
import { World } from './world';

const RETRIES: LifeEnding[] = ['retry', 'retry max', 'retry resend'];
const NEW_RUNS: LifeEnding[] = ['anew', 'anew max', 'anew resend'];
const EDITS: LifeEnding[] = [
	...(['retry edit', 'retry edit max', 'anew edit', 'anew key', 'retry key'] as const),
];

/** Why a life that has not ended well is hard to bring to its end, once everything is well again. */
export async function stuckEnds(seed: number, world: World): Promise<Broken[]> {
	const last = lastOf(world);
	if (isWell(world, last) || last.status === 'canceled') return [];
	const has = async (endings: LifeEnding[]) => {
		for (const ending of endings) if (await endsWell(seed, world, ending)) return true;
		return false;
	};
	const book = savedBook(last.saved, false);
	const orders = book && Object.values(book.orders);
	const isSent = orders?.some(({ state }) => state.is === 'sent') ?? true;
	const isError = last.status === 'error';
	const rules: string[] = [];
	if (isError && !isSent && !(await has(['retry', 'retry max'])))
		rules.push('no Retry ends it though nothing is unconfirmed');
	if (!(await has(RETRIES))) {
		if (!(await has(NEW_RUNS)))
			rules.push((await has(EDITS)) ? 'only an edit ends it' : 'nothing ends it');
		else if (isError) rules.push('only a new run ends it');
	}
	return rules.map((rule) => ({
		rule: `${rule}${aboutLife(world, orders)}`,
		what: `seed ${seed}`,
	}));
}

async function endsWell(seed: number, { scenario }: World, ending: LifeEnding): Promise<boolean> {
	const person = new Person(new World(seed, scenario));
	await person.live();
	return await person.end(ending);
}

/** What explains it. */
function aboutLife(world: World, orders: Order[] | undefined): string {
	const { scenario, settings } = world;
	const { keys, keepErrors } = scenario.service;
	const isNamed = orders?.some(
		(order) => order.state.is === 'sent' && taskIdOf(order) !== undefined,
	);
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
