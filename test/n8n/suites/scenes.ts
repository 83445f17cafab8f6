import type { Testbed } from '../../../tools/n8n/testbed';
import type { Suite } from '../support/suite';
import { expectNoKeyOnDisk, expectOnlyOwnHosts } from './traces';

/** Says what is to hold once n8n was started again; gets how many requests there were at its end. */
type Check = (requestsAtEnd: number) => Promise<void>;
/** Brings n8n, at a service of its own, to what it is doing when it ends. */
export type Scene<Environment extends Testbed = Testbed> = (
	n8n: Suite<Environment>,
) => Promise<Check>;

/**
 * Plays all scenes on one n8n, which ends once for all of them; call it inside `describe`.
 * @param scenes By name, in the order in which n8n is brought to them.
 * @param settings Further ones with which n8n is started again.
 */
export function testScenes<Environment extends Testbed>(
	n8n: Suite<Environment>,
	end: 'kill' | 'terminate',
	scenes: Readonly<Record<string, Scene<Environment>>>,
	settings?: Record<string, string>,
): void {
	const played = new Map<
		string,
		{ stage: Suite<Environment>; check: Check; requestsAtEnd: number }
	>();

	beforeAll(async () => {
		for (const [name, play] of Object.entries(scenes)) {
			const stage = await n8n.aside();
			played.set(name, { stage, check: await play(stage), requestsAtEnd: 0 });
		}
		await n8n.environment[end]();
		for (const one of played.values()) one.requestsAtEnd = one.stage.sim.requests.length;
		await n8n.environment.restart(settings);
	});

	it.each(Object.keys(scenes))('%s', async (name) => {
		const one = played.get(name);
		if (one === undefined) throw new Error('It was not played');
		await one.check(one.requestsAtEnd);
	});

	it('there is no API key on the disk, and nobody else was contacted', async () => {
		const [one] = played.values();
		const { environment } = one?.stage ?? n8n;
		await expectNoKeyOnDisk(environment);
		await expectOnlyOwnHosts(environment);
	});
}
