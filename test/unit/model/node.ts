import type { DueRun, Execution, InputItem } from './executions';
import type { Routine } from './scheduler';
import type { Reply } from './service';
import type { World } from './world';

/** A run of the node, and what n8n gives it. */
export class NodeRun {
	/** What `$now` gives in this try. */
	private readonly now: number;

	constructor(
		readonly world: World,
		readonly execution: Execution,
		readonly due: DueRun,
	) {
		world.now += 1;
		this.now = world.now;
	}

	get isStopped(): boolean {
		return this.execution.status === 'canceled';
	}

	/** On Error is not "Stop Workflow". */
	get continuesOnError(): boolean {
		return this.execution.settings.onError !== 'stop';
	}

	promptOf({ json }: InputItem): string {
		const { promptField } = this.execution.settings;
		return promptField.replace('{{now}}', `${this.now}`).replace('{{p}}', json.p).trim();
	}

	keyTextOf({ json }: InputItem): string {
		const { id, settings } = this.execution;
		return settings.keyField.replace('{{k}}', json.k).replace('{{exec}}', id);
	}

	/** A create on its way to the service, and its answer on the way back. */
	*create(index: number, prompt: string, key: string, keyText: string): Routine<Reply> {
		const { world, execution, due } = this;
		const item = due.items[index];
		if (!item) throw new Error(`No item ${index}`);
		yield;
		const origin = { execution, item, keyText };
		const { reply, task } = world.service.create({ prompt, key, origin });
		const what = { item: item.id, run: due.run, index, prompt, key, reply, fate: task?.fate };
		world.trace(`${execution.id} create: ${JSON.stringify(what)}`);
		yield;
		return reply;
	}
}
