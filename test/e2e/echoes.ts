import type { Execution } from '../programs/realN8n/api';
import { DEFAULT_API_KEY, type Simulator } from '../programs/simulator';
import { jsonFrom, saidBy } from './vocabulary';

/** A service that sends back what it was sent. */
const WORDS = 'You called with Bearer';
const ECHO = `${WORDS} ${DEFAULT_API_KEY}`;
/** What may be shown of it. */
const REDACTED_ECHO = `${WORDS} [API key]`;

interface Echo {
	/** Where a service may repeat the key of a request. */
	where: string;
	arrange: (sim: Simulator) => void;
	/** How the execution then ends. */
	status: Execution['status'];
}

export const ECHOES: readonly Echo[] = [
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

/** Fails unless an execution shows the echo, without the key, and holds the key nowhere. */
export function expectKeyHidden(execution: Execution, node: string): void {
	const shown = [saidBy(execution), JSON.stringify(jsonFrom(execution, node))];
	expect(shown.join('\n')).toContain(REDACTED_ECHO);
	expect(execution.raw).not.toContain(DEFAULT_API_KEY);
}
