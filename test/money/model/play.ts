import { rootOf } from './executions';
import { type Broken, judge } from './judge';
import type { PlayedNode } from './node';
import { type Ending, ENDINGS, isWell, lastOf, Person } from './person';
import { type LifeKind, type Scenario, scenarioOf } from './scenario';
import { World } from './world';

/** A rule that was broken, how often, and the shortest life that breaks it. */
export interface Finding extends Broken {
	lives: number;
	seed: number;
	/** Lines of the trace, and what makes the life harder to read. */
	size: number;
	trace: string[];
	scenario: Scenario;
}

export interface Played {
	lives: number;
	/** How many executions ended in each way. */
	endings: Record<string, number>;
	findings: Map<string, Finding>;
}

/** Plays a life to its end, as the seed has it. */
export function live(seed: number, scenario: Scenario, node: PlayedNode): World {
	const world = new World(seed, scenario, node);
	new Person(world).live();
	return world;
}

/** Plays lives one after another. */
export function play(
	{ from, to }: { from: number; to: number },
	kind: LifeKind,
	node: PlayedNode,
): Played {
	const played: Played = { lives: 0, endings: {}, findings: new Map() };
	for (let seed = from; seed < to; seed += 1) {
		const scenario = scenarioOf(seed, kind);
		const world = live(seed, scenario, node);
		played.lives += 1;
		for (const { status } of world.executions)
			played.endings[status] = (played.endings[status] ?? 0) + 1;
		const stuck = kind.endings ? stuckEnds(seed, world, node) : [];
		note(played.findings, [...judge(world), ...stuck], seed, world);
	}
	return played;
}

function note(findings: Played['findings'], broken: Broken[], seed: number, world: World): void {
	const { scenario, lines } = world;
	const size = lines.length + (scenario.itemCount - 1) * 3 + scenario.settings.tries;
	const rules = new Set(broken.map(({ rule }) => rule));
	for (const rule of rules) {
		const what = broken.find((one) => one.rule === rule)?.what ?? '';
		const before = findings.get(rule);
		const lives = (before?.lives ?? 0) + 1;
		const isShortest = !before || size < before.size;
		const shown = isShortest ? { rule, what, seed, size, trace: lines, scenario } : before;
		findings.set(rule, { ...shown, lives });
	}
}

const namesOf = Object.keys(ENDINGS).filter((name): name is Ending => name in ENDINGS);

/** How a life that has not ended well can be brought to its end, if that is not easy. */
function stuckEnds(seed: number, world: World, node: PlayedNode): Broken[] {
	const last = lastOf(world);
	if (isWell(world, last) || last.status === 'canceled') return [];
	const ways = namesOf.filter((ending) => {
		const again = new World(seed, world.scenario, node);
		const person = new Person(again);
		person.live();
		return person.end(ending);
	});
	const has = (...endings: Ending[]) => endings.some((ending) => ways.includes(ending));
	const orders = node.ordersIn(last.saved);
	const isUnreadable = orders === undefined;
	const about = aboutLife(world, orders ?? [], isUnreadable);
	const rules: string[] = [];
	const hasRetry = has('retry', 'retry resend', 'retry max');
	if (ways.length === 0) rules.push('no way to an end');
	else if (!hasRetry && !has('anew', 'anew resend', 'anew max')) {
		const where = rootOf(last).mode === 'manual' ? 'editor' : 'production';
		rules.push(`only an edit ends it (${where})`);
	} else if (last.status === 'error' && !hasRetry) {
		rules.push('no Retry ends it, only an edit or a new run');
	}
	const isSent = orders?.some(({ state }) => state === 'sent');
	if (last.status === 'error' && orders && !isSent && !has('retry', 'retry max'))
		rules.push('nothing is unconfirmed, but no Retry ends it');
	return rules.map((rule) => ({ rule: `${rule}${about}`, what: ways.join('; ') }));
}

/** What explains why a life is hard to end. */
function aboutLife(
	{ scenario, settings }: World,
	orders: Array<{ state: string; taskId?: string }>,
	isUnreadable: boolean,
): string {
	const { keys, keepErrors } = scenario.service;
	const isNamed = orders.some(({ state, taskId }) => state === 'sent' && taskId !== undefined);
	return [
		...(isNamed ? [', an answer named a task'] : []),
		...(isUnreadable ? [', unreadable'] : []),
		...(scenario.settings.keyField || settings.keyField ? [', key'] : []),
		...(keepErrors ? [', service keeps errors'] : []),
		...(keys === 'conflict' ? [', service answers 409 to a known key'] : []),
	].join('');
}
