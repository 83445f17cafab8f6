import { EventEmitter, once } from 'node:events';

type DoorState = 'open' | 'shut' | 'held';

/** What a server of a test does with whoever comes: serves, turns away, or leaves without an answer. */
export class Door {
	private state: DoorState = 'open';
	private readonly visits = new EventEmitter();

	open(): void {
		this.state = 'open';
	}

	/** As a server that is down. */
	shut(): void {
		this.state = 'shut';
	}

	/**
	 * As a server that hangs.
	 * @returns Resolves when somebody waits for an answer that does not come.
	 */
	async hold(): Promise<void> {
		this.state = 'held';
		await once(this.visits, 'held');
	}

	/** For the server, which calls one of them for each visitor; a held one gets neither. */
	visit({ letIn, turnAway }: { letIn: () => void; turnAway: () => void }): void {
		if (this.state === 'open') letIn();
		if (this.state === 'shut') turnAway();
		if (this.state === 'held') this.visits.emit('held');
	}
}
