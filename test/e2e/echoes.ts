import type { Execution } from '../n8n/api';
import { DEFAULT_API_KEY, type Simulator } from '../simulator';
import { saidBy } from './suite';

/** A service that sends back what it was sent. */
const WORDS = 'You called with Bearer';
const ECHO = `${WORDS} ${DEFAULT_API_KEY}`;
/** What may be shown of it. */
export const REDACTED_ECHO = `${WORDS} [API key]`;

/** Where a service may repeat the key of a request, and how the execution then ends. */
export const ECHOES: ReadonlyArray<{
	where: string;
	arrange: (sim: Simulator) => void;
	status: Execution['status'];
}> = [
	{
		where: 'the message of a refusal',
		arrange: (sim) => {
			const body = { error: { message: ECHO } };
			sim.script({ on: 'create', fault: { kind: 'status', status: 400, body } });
		},
		status: 'error',
	},
	{
		where: 'the error of a failed task',
		arrange: (sim) => sim.planTask({ outcome: 'failed', error: { message: ECHO } }),
		status: 'error',
	},
	{
		where: 'a field of the record that the contract does not know',
		arrange: (sim) => {
			const fields = { request_log: { lines: [ECHO] } };
			sim.script({ on: 'task', times: Infinity, fault: { kind: 'merge', fields } });
		},
		status: 'success',
	},
];

/** What a user sees of the node in an execution: its error and its output. */
export const shownBy = (execution: Execution, node: string): string =>
	[saidBy(execution), JSON.stringify(execution.output(node))].join('\n');
