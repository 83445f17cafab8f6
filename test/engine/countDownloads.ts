import type { Simulator } from '../programs/simulator';

let ends: Array<() => void> = [];
afterEach(() => {
	for (const end of ends) end();
	ends = [];
});

/** How many downloads are under way, now and at most, for the rest of the test. */
export function countDownloads(simulator: Simulator): { now: number; most: number } {
	const open = { now: 0, most: 0 };
	ends.push(
		simulator.onRequest(({ route }) => {
			if (route === 'result') open.most = Math.max(open.most, (open.now += 1));
		}),
		simulator.onRequestEnd(({ route }) => {
			if (route === 'result') open.now -= 1;
		}),
	);
	return open;
}
