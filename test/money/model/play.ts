import { type Broken, judge } from './judge';
import type { PlayedNode } from './node';
import { Person } from './person';
import { stuckEnds } from './stuck';
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
		const stuck = kind.endings ? stuckEnds(seed, world) : [];
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
