/* eslint-disable @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
/** What was started and has to end, in whatever way the work goes. */
export class Cleanups {
	private readonly pending: Array<() => Promise<unknown>> = [];

	add(cleanup: () => Promise<unknown>): void {
		this.pending.push(cleanup);
	}

	/** Runs all of them, latest first; one that throws does not keep the others from running. */
	async run(): Promise<void> {
		const failures: unknown[] = [];
		for (const cleanup of this.pending.splice(0).reverse()) {
			await cleanup().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}

/** Starts something made of several parts, all of which end when it stops or does not start. */
export async function startWithCleanups<Parts>(
	start: (cleanups: Cleanups) => Promise<Parts>,
): Promise<Parts & { stop(): Promise<void> }> {
	const cleanups = new Cleanups();
	try {
		return { ...(await start(cleanups)), stop: async () => await cleanups.run() };
	} catch (error) {
		await cleanups.run();
		throw error;
	}
}
