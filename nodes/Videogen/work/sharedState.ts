import type { Clock } from '../shared/clock';
import { Gates } from './gate';
import { Memory } from './memory';

/** What all executions in this process share. */
export class SharedState {
	readonly memory: Memory;

	readonly gates: Gates;

	constructor(readonly clock: Clock) {
		this.memory = new Memory(clock);
		this.gates = new Gates(clock);
	}
}
