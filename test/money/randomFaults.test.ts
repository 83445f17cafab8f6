/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import fc from 'fast-check';
import { FaultScene } from './support/faultScene';
import { scenario } from './support/randomScenario';

/** Random faults, tasks and settings; see `FaultScene` for what must hold. */

/** FAULT_RUNS plays another number. */
const RUNS = Number(process.env.FAULT_RUNS ?? 1_000);

const scene = new FaultScene();

test('whatever goes wrong, nothing is lost and nothing is paid twice', async () => {
	/** How many had something to withstand, were retried by hand, and clicked again in the editor. */
	const counts = { faulted: 0, retried: 0, clicked: 0 };
	await fc.assert(
		fc.asyncProperty(scenario, async (drawn) => {
			const { length: executions } = await scene.play(drawn);
			const violations = scene.violations();
			expect(violations.length > 0 ? [...violations, scene.describe()] : []).toEqual([]);
			if (scene.simulator.requests.some(({ fault }) => fault !== undefined)) counts.faulted += 1;
			if (drawn.executions.at(-1)?.isClick) counts.clicked += 1;
			else if (executions > 1) counts.retried += 1;
		}),
		{ numRuns: RUNS },
	);
	expect(counts.faulted).toBeGreaterThan(RUNS / 2);
	expect(Math.min(counts.retried, counts.clicked)).toBeGreaterThan(RUNS / 10);
});
