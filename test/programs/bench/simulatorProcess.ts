import { startSimulator } from '../simulator';

/**
 * The simulator in a process of its own, so that its work counts neither as time nor as memory of
 * what is measured. A task is final after a fixed number of reads, so that every run sends the same
 * requests. To each message this process answers how many requests came since the last one.
 */
async function main(): Promise<void> {
	const simulator = await startSimulator();
	const startAfresh = () => {
		simulator.reset();
		simulator.planTask({ finalAfterReads: 2, times: Infinity });
	};
	process.on('message', () => {
		process.send?.({ requests: simulator.requests.length });
		startAfresh();
	});
	process.on('disconnect', () => process.exit());
	startAfresh();
	process.send?.({ baseUrl: simulator.baseUrl });
}

void main();
