import type { CredentialRef, Execution, N8nApi } from '../n8n/api';
import type { N8nVersion } from '../n8n/recipes';
import {
	VIDEOGEN_NODE,
	videogenWorkflow,
	type NewWorkflow,
	type VideogenWorkflow,
} from '../n8n/workflows';
import type { SimulatedTask, Simulator, TaskPlan } from '../simulator';
import { TESTBED_TIMEOUT_MS, startTestbed, type Testbed } from './harness';

export const POLL_INTERVAL_SECONDS = 1;

/** Parameters that make the node wait, with any further options of waiting. */
export const waiting = (options: Record<string, unknown> = {}) => ({
	waitForCompletion: true,
	waitOptions: { pollIntervalSeconds: POLL_INTERVAL_SECONDS, ...options },
});
export const notWaiting = { waitForCompletion: false };

/** A record that stays as it is, so that it can be compared after the run. */
export const STANDING_STILL: Pick<TaskPlan, 'outcome' | 'statuses'> = {
	outcome: 'never',
	statuses: [{ afterMs: 0, status: 'pending', progress: 0 }],
};
/** What a failed task says in these tests. */
export const BROKEN = { code: 'content_policy_violation', message: 'The prompt was refused' };

/** Items with one prompt each, and the parameter that reads it. */
export const itemsOf = (prompts: readonly string[]) => prompts.map((prompt) => ({ prompt }));
export const PROMPT_OF_ITEM = { prompt: '={{ $json.prompt }}' };

export const output = (execution: Execution, index?: number) =>
	execution.output(VIDEOGEN_NODE, index);
export const jsonOf = (execution: Execution, index?: number) =>
	output(execution, index).map(({ json }) => json);
/** Everything that an execution says to its user about what went wrong. */
export const saidBy = ({ error }: Execution): string => `${error?.message} ${error?.description}`;

/** A workflow to run; its name is the test's. */
export type Wanted = Omit<VideogenWorkflow, 'name' | 'credential'> & {
	credential?: CredentialRef;
};

/** One n8n server for a group of tests, each of which finds the simulator as new. */
export class Suite {
	/** Everything that ran; looked through at the end for what must never be saved. */
	readonly executions: Execution[] = [];

	private started: Testbed | undefined;

	/** Call inside `describe`. */
	constructor(readonly version: N8nVersion) {
		beforeAll(async () => {
			this.started = await startTestbed(version);
		}, TESTBED_TIMEOUT_MS);
		afterAll(async () => await this.started?.stop());
		beforeEach(() => this.sim.reset());
	}

	get bed(): Testbed {
		if (this.started === undefined) throw new Error('n8n was not started');
		return this.started;
	}

	get api(): N8nApi {
		return this.bed.api;
	}

	get sim(): Simulator {
		return this.bed.sim;
	}

	workflow(
		wanted: Wanted,
		make: (wanted: VideogenWorkflow) => NewWorkflow = videogenWorkflow,
	): NewWorkflow {
		const name = expect.getState().currentTestName ?? 'Test';
		return make({ name, credential: this.bed.credential, ...wanted });
	}

	async run(wanted: Wanted): Promise<Execution> {
		return await this.execute(this.workflow(wanted));
	}

	async execute(workflow: NewWorkflow): Promise<Execution> {
		return this.kept(await this.api.execute(workflow));
	}

	/** Presses *Retry execution*. */
	async retry(
		{ id }: Execution,
		options: { withSavedWorkflow?: boolean } = {},
	): Promise<Execution> {
		return this.kept(await this.api.retryExecution(id, options));
	}

	async ended(executionId: string): Promise<Execution> {
		return this.kept(await this.api.waitForExecution(executionId));
	}

	onlyTask(): SimulatedTask {
		const [task, ...others] = this.sim.tasks.values();
		if (task === undefined || others.length > 0) throw new Error('Expected exactly one task');
		return task;
	}

	/** The one task that was made for a prompt. */
	taskOf(prompt: string): SimulatedTask {
		const found = [...this.sim.tasks.values()].filter((task) => task.prompt === prompt);
		const [task, ...others] = found;
		if (task === undefined || others.length > 0) {
			throw new Error(`Expected exactly one task for "${prompt}", not ${found.length}`);
		}
		return task;
	}

	/** The tasks' records as the service gives them now, in the order of these prompts. */
	recordsOf(prompts: readonly string[]) {
		return prompts.map((prompt) => this.taskOf(prompt).record());
	}

	/** Remembers an execution for the look at the end. */
	kept(execution: Execution): Execution {
		this.executions.push(execution);
		return execution;
	}
}
