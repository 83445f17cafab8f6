import type { Clock } from '../ground/clock';
import { CreateThrottles } from './createThrottles';
import { Memory } from './memory';

/** What all executions in this process share. */
export class Process {
	readonly throttles: CreateThrottles;

	readonly memory: Memory;

	constructor(readonly clock: Clock) {
		this.throttles = new CreateThrottles(clock);
		this.memory = new Memory(() => clock.date());
	}
}
