/**
 * Gives many pieces of work a signal each that aborts with one signal they share. Listeners of their
 * own on that one would pile up, and Node warns of a leak when a signal has more than ten.
 */
export class AbortScope {
	private readonly open = new Set<AbortController>();

	constructor(readonly signal: AbortSignal) {
		const abortAll = () => {
			for (const controller of this.open) controller.abort();
		};
		signal.addEventListener('abort', abortAll, { once: true });
	}

	/** Runs a piece of work; its signal aborts at once when the shared one has. */
	async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const controller = new AbortController();
		if (this.signal.aborted) controller.abort();
		this.open.add(controller);
		try {
			return await work(controller.signal);
		} finally {
			this.open.delete(controller);
		}
	}
}
