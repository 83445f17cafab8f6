import { EventEmitter, once } from 'node:events';

/** What a server of a test does with whoever comes: serves, or leaves without an answer. */
export class Door {
	private isOpen = true;
	private readonly visits = new EventEmitter();

	open(): void {
		this.isOpen = true;
	}

	/**
	 * As a server that hangs.
	 * @returns Resolves when somebody waits for an answer that does not come.
	 */
	async hold(): Promise<void> {
		this.isOpen = false;
		await once(this.visits, 'held');
	}

	/** For the server, which lets each visitor in by this. */
	visit(letIn: () => void): void {
		if (this.isOpen) letIn();
		else this.visits.emit('held');
	}
}
