import { type Accepted, acceptedFor } from './accepted';
import { type Broken, judge } from './judge';
import type { PlayedNode } from './node';
import { Person } from './person';
import { type LifeKind, type Scenario, scenarioOf } from './scenario';
import { stuckEnds } from './stuck';
import { World } from './world';

/** A rule that was broken, how often, and the shortest life that breaks it. */
export interface Finding extends Broken {
	lives: number;
	seed: number;
	/** Lines of the trace, and what makes the life harder to read. */
	size: number;
	trace: string[];
	scenario: Scenario;
	/** Why it stays as it is; absent where it must not. */
	accepted?: Accepted;
}

export interface Played {
	lives: number;
	/** How many executions ended in each way. */
	endings: Record<string, number>;
	/** The most frequent first. */
	findings: Finding[];
}

/** Plays a life to its end, as the seed has it. */
export function live(seed: number, scenario: Scenario, node: PlayedNode): World {
	const world = new World(seed, scenario, node);
	new Person(world).live();
	return world;
}

/** Plays the lives of some seeds, the last one excluded. */
export function play(from: number, to: number, kind: LifeKind, node: PlayedNode): Played {
	const findings = new Map<string, Finding>();
	const endings: Played['endings'] = {};
	for (let seed = from; seed < to; seed += 1) {
		const world = live(seed, scenarioOf(seed, kind), node);
		for (const { status } of world.executions) endings[status] = (endings[status] ?? 0) + 1;
		const stuck = kind.endings ? stuckEnds(seed, world) : [];
		note(findings, [...judge(world), ...stuck], { seed, kind, world });
	}
	const byCount = [...findings.values()].sort((one, other) => other.lives - one.lives);
	return { lives: to - from, endings, findings: byCount };
}

interface Life {
	seed: number;
	kind: LifeKind;
	world: World;
}

/** A life counts once for a rule. */
function note(findings: Map<string, Finding>, broken: Broken[], { seed, kind, world }: Life): void {
	const { scenario, lines: trace } = world;
	const size = trace.length + (scenario.itemCount - 1) * 3 + scenario.settings.tries;
	const noted = new Set<string>();
	for (const { rule, what } of broken) {
		const accepted = acceptedFor(rule, kind, world);
		const name = `${rule} ${accepted?.why}`;
		const before = findings.get(name);
		const lives = (before?.lives ?? 0) + (noted.has(name) ? 0 : 1);
		noted.add(name);
		const isShortest = !before || size < before.size;
		const shortest = isShortest ? { rule, what, seed, size, trace, scenario, accepted } : before;
		findings.set(name, { ...shortest, lives });
	}
}
