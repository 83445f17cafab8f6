import { brokenPayments } from './judgePayments';
import { brokenOutputs } from './judgeOutputs';
import type { World } from './world';

/** A rule that a life has broken, and by what. */
export interface Broken {
	rule: string;
	what: string;
}

/** Reads only what the service has made, and what people got. */
export const judge = (world: World): Broken[] => [
	...brokenPayments(world),
	...brokenOutputs(world),
];
