import { at, type Random } from './random';

/** What something waits for; without it, it goes on with any later step. */
type Wait = () => boolean;

/** Something that goes on step by step beside others. */
export type Routine<Result> = Generator<Wait | undefined, Result, void>;

export interface Job<Result> {
	isDone: boolean;
	/** What it gave. */
	result?: Result;
}

/** Lets routines go on in a random order, one step at a time, as awaits do. */
export class Scheduler {
	private steps: Array<{ wait?: Wait; next(): boolean }> = [];

	constructor(private readonly random: Random) {}

	spawn<Result>(routine: Routine<Result>): Job<Result> {
		const job: Job<Result> = { isDone: false };
		const step: Scheduler['steps'][number] = {
			next() {
				const { done, value } = routine.next();
				if (done) Object.assign(job, { isDone: true, result: value });
				else step.wait = value;
				return done === true;
			},
		};
		this.steps.push(step);
		return job;
	}

	/** @returns whether there was something to do */
	step(): boolean {
		const ready = this.steps.filter(({ wait }) => !wait || wait());
		const step = ready.length > 0 ? at(ready, this.random()) : undefined;
		if (!step) return false;
		step.wait = undefined;
		if (step.next()) this.steps.splice(this.steps.indexOf(step), 1);
		return true;
	}

	/** The process has died, with all that it was doing. */
	clear(): void {
		this.steps = [];
	}
}

/** What a job gave that is done. */
export function resultOf<Result>({ result }: Job<Result>): Result {
	if (result === undefined) throw new Error('It gave nothing');
	return result;
}
