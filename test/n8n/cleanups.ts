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
