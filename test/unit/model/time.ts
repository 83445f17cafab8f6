import { turnOfEventLoop, VirtualClock } from '../../../tools/virtualClock';

const START_MS = Date.UTC(2026, 10, 24);

/** Virtual time that goes on step by step: what comes, and then everything that follows from it. */
export class Time extends VirtualClock {
	override date = (): number => START_MS + this.now();

	/** Takes some time, which is drawn, so that nobody knows what comes first. */
	async pass(maxMs: number): Promise<void> {
		await this.sleep(this.random() * maxMs);
	}

	/** @returns whether anything was left to happen */
	async step(): Promise<boolean> {
		if (this.sleeping === 0) await turnOfEventLoop();
		if (this.sleeping === 0) return false;
		this.jump();
		await turnOfEventLoop();
		return true;
	}

	/** The processes have died, with all that they were doing. */
	clear(): void {
		this.sleepers = [];
	}

	protected override async advance(): Promise<void> {
		return await Promise.resolve();
	}
}
