import { type Accepted, acceptedFor } from './accepted';
import { brokenOutputs } from './judgeOutputs';
import { type Broken, brokenPayments } from './judgePayments';
import { Person } from './person';
import { type LifeKind, scenarioOf } from './scenario';
import { stuckEnds } from './stuck';
import { World } from './world';

/** A rule that was broken, how often, and a short life that breaks it. */
export interface Finding extends Broken {
	lives: number;
	seed: number;
	/** What has happened in it, line by line. */
	trace: string[];
	/** Why it stays as it is; absent where it must not. */
	accepted?: Accepted;
}

/** Plays the lives of some seeds, the last one excluded. A life counts once for a rule. */
export async function playLives(from: number, to: number, kind: LifeKind): Promise<Finding[]> {
	const findings = new Map<string, Finding>();
	for (let seed = from; seed < to; seed += 1) {
		for (const [name, finding] of await findingsOf(seed, kind)) {
			const before = findings.get(name) ?? finding;
			const shorter = finding.trace.length < before.trace.length ? finding : before;
			findings.set(name, { ...shorter, lives: before === finding ? 1 : before.lives + 1 });
		}
	}
	return [...findings.values()];
}

/** What a life has broken, by the rule and why that is accepted. */
async function findingsOf(seed: number, kind: LifeKind): Promise<Map<string, Finding>> {
	const world = new World(seed, scenarioOf(seed, kind));
	await new Person(world).live();
	const stuck = kind.endings ? await stuckEnds(seed, world) : [];
	const broken = [...brokenPayments(world), ...brokenOutputs(world), ...stuck];
	return new Map(
		broken.map((one) => {
			const accepted = acceptedFor(one.rule, kind, world);
			const finding = { ...one, lives: 1, seed, trace: world.trace, accepted };
			return [`${one.rule} ${accepted?.why}`, finding];
		}),
	);
}
