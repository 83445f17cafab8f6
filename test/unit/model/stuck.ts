import { savedBook } from '../../../nodes/Videogen/work/book';
import { type Order, taskIdOf } from '../../../nodes/Videogen/work/order';
import { isEditor } from './executions';
import type { Broken } from './judgePayments';
import { isWell, lastOf, Person } from './person';
import { World } from './world';

const RETRIES = ['retry', 'retry max', 'retry resend'];
const NEW_RUNS = ['anew', 'anew max', 'anew resend'];
const EDITS = ['retry edit', 'retry edit max', 'anew edit', 'anew key', 'retry key'];

/** Why a life that has not ended well is hard to bring to its end, once everything is well again. */
export async function stuckEnds(seed: number, world: World): Promise<Broken[]> {
	const last = lastOf(world);
	if (isWell(world, last) || last.status === 'canceled') return [];
	const has = async (ways: string[]) => {
		for (const way of ways) if (await endsWell(seed, world, way)) return true;
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
	const what = `seed ${seed}`;
	return rules.map((rule) => ({ rule: rule + aboutLife(world, orders), what }));
}

async function endsWell(seed: number, { scenario }: World, way: string): Promise<boolean> {
	const person = new Person(new World(seed, scenario));
	await person.live();
	return await person.end(way);
}

/** What explains it. */
function aboutLife(world: World, orders?: Order[]): string {
	const { scenario, settings } = world;
	const { keys, keepErrors } = scenario.service;
	const facts = {
		' (editor)': isEditor(lastOf(world)),
		', an answer named a task': orders?.some((one) => one.state.is === 'sent' && taskIdOf(one)),
		', unreadable': !orders,
		', key': scenario.settings.keyField !== '' || settings.keyField !== '',
		', service keeps errors': keepErrors,
		', service answers 409 to a known key': keys === 'conflict',
	};
	return Object.entries(facts)
		.filter(([, isTrue]) => isTrue)
		.map(([text]) => text)
		.join('');
}
