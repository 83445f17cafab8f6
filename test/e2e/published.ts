import { randomUUID } from 'node:crypto';
import type { Execution, N8nApi, SavedWorkflow } from '../n8n/api';
import { subWorkflow, webhookWorkflow, type ChainWorkflow } from '../n8n/webhookWorkflow';

/** n8n may be slow to notice that an execution is over; only one that never ends is given up. */
const STATE_TIMEOUT_MS = 240_000;

/** A workflow that works in production, and its executions. */
export class PublishedWorkflow {
	private constructor(
		private readonly api: N8nApi,
		private readonly saved: SavedWorkflow,
		private readonly path: string,
	) {}

	/** Each call of its webhook is one execution. */
	static async withWebhook(api: N8nApi, wanted: ChainWorkflow): Promise<PublishedWorkflow> {
		const path = randomUUID();
		const saved = await api.createWorkflow(webhookWorkflow(path, wanted));
		await api.publish(saved);
		return new PublishedWorkflow(api, saved, path);
	}

	/** Other workflows call it by its id. */
	static async asSubWorkflow(api: N8nApi, wanted: ChainWorkflow): Promise<PublishedWorkflow> {
		const saved = await api.createWorkflow(subWorkflow(wanted));
		await api.publish(saved);
		return new PublishedWorkflow(api, saved, '');
	}

	get id(): string {
		return this.saved.id;
	}

	/** Calls the webhook. */
	async call(prompt: string): Promise<void> {
		await this.api.callWebhook(this.path, { prompt });
	}

	/** Ids of all executions so far, the oldest first. */
	async executionIds(): Promise<string[]> {
		return (await this.api.executionsOf(this.saved)).reverse();
	}

	async firstExecutionId(): Promise<string> {
		return await this.api.firstExecutionOf(this.saved);
	}

	/** The first execution, once it has ended. */
	async firstExecution(): Promise<Execution> {
		return await this.api.waitForExecution(await this.firstExecutionId(), STATE_TIMEOUT_MS);
	}

	/** Resolves when n8n says this about the first execution. */
	async untilFirstIs(status: string): Promise<void> {
		await this.api.waitForStatus(await this.firstExecutionId(), status, STATE_TIMEOUT_MS);
	}
}
