import { connectionTo } from '../../n8n/contacts';
import type { N8nVersion } from '../../n8n/recipes';
import type { ChainNode } from '../../n8n/webhookWorkflow';
import { DEFAULT_API_KEY } from '../../simulator';
import { filesHolding } from '../../support/filesHolding';
import { CREATE_NODE, GET_NODE, ONE_NODE, TWO_NODES } from '../chains';
import { TESTBED_TIMEOUT_MS } from '../harness';
import { startMortalServer, type MortalServer } from '../mortalServer';
import { PublishedWorkflow } from '../published';
import { expectOnlyOwnHosts } from './contacts';

const STARTED_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = 300_000;

interface Pattern {
	chain: ChainNode[];
	/** Whether n8n writes down the outcome of each node as soon as it has run. */
	saveExecutionProgress: boolean;
	/** In how many tasks it ends, one of which the kill has made useless. */
	creates: number;
}

const PATTERNS: Record<string, Pattern> = {
	'Create → Get Task with saved progress: goes on with the same task': {
		chain: TWO_NODES,
		saveExecutionProgress: true,
		creates: 1,
	},
	'Create → Get Task without saved progress: starts afresh and pays again': {
		chain: TWO_NODES,
		saveExecutionProgress: false,
		creates: 2,
	},
	'one node that creates and waits: starts afresh and pays again': {
		chain: ONE_NODE,
		saveExecutionProgress: true,
		creates: 2,
	},
};

/** How a single n8n ends while executions wait; then it is started again with its data. */
const ENDS = [
	{ end: 'kill -9', by: async (n8n: MortalServer) => await n8n.kill() },
	{ end: 'SIGTERM, as by docker restart', by: async (n8n: MortalServer) => await n8n.terminate() },
];

export function testServerKill(version: N8nVersion): void {
	describe.each(ENDS)('retry after $end and the restart of a server that was waiting', ({ by }) => {
		let started: MortalServer | undefined;
		const bed = (): MortalServer => {
			if (started === undefined) throw new Error('n8n was not started');
			return started;
		};
		const workflows = new Map<string, PublishedWorkflow>();
		let requestsAfterKill: number;
		let logOfKilled: string;

		const taskIdsOf = (prompt: string) =>
			[...bed().sim.tasks.values()].filter((task) => task.prompt === prompt).map(({ id }) => id);

		beforeAll(async () => {
			started = await startMortalServer(version);
			const n8n = started;
			const { api, sim, credential } = n8n;
			sim.planTask({ outcome: 'never', times: Object.keys(PATTERNS).length });
			for (const [name, { chain, saveExecutionProgress }] of Object.entries(PATTERNS)) {
				const wanted = { name, credential, chain, settings: { saveExecutionProgress } };
				const workflow = await PublishedWorkflow.withWebhook(api, wanted);
				workflows.set(name, workflow);
				await workflow.call(name);
			}
			const allWait = () =>
				sim.tasks.size === workflows.size &&
				[...sim.tasks.keys()].every((id) => sim.reads(id).length >= 2);
			await sim.waitForRequest(allWait, STARTED_TIMEOUT_MS);

			await by(n8n);
			logOfKilled = await n8n.log();
			const requestsBefore = sim.requests.length;
			for (const id of sim.tasks.keys()) sim.finish(id);
			await n8n.restart();
			for (const workflow of workflows.values()) await workflow.untilFirstIs('crashed');
			requestsAfterKill = sim.requests.length - requestsBefore;
		}, TESTBED_TIMEOUT_MS);
		afterAll(async () => await started?.stop());

		it.each(Object.entries(PATTERNS))(
			'%s',
			async (name, { chain, creates }) => {
				const { api, sim } = bed();
				const [first] = taskIdsOf(name);
				const killed = await workflows.get(name)?.firstExecution();
				if (killed === undefined) throw new Error('It was not executed');
				expect(killed.status).toBe('crashed');
				expect(killed.error?.message).toMatch(/^Workflow did not finish/);

				const retried = await api.retryExecution(killed.id);
				expect(retried.status).toBe('success');
				const taskIds = taskIdsOf(name);
				expect(sim.creates().filter(({ prompt }) => prompt === name)).toHaveLength(creates);
				expect(taskIds[0]).toBe(first);
				const lastNode = chain === TWO_NODES ? GET_NODE : CREATE_NODE;
				expect(retried.output(lastNode).map(({ json }) => json)).toMatchObject([
					{ id: taskIds.at(-1), status: 'completed' },
				]);
				// Whatever pays again could not know better: n8n has not kept the first task's id.
				expect(killed.raw.includes(first ?? '')).toBe(creates === 1);
				expect(logOfKilled).toContain(first);
			},
			TEST_TIMEOUT_MS,
		);

		it('nothing was asked for or created until somebody pressed Retry', () => {
			expect(requestsAfterKill).toBe(0);
		});

		it('there is no API key on the disk, and nobody else was contacted', async () => {
			const { userFolder, sim, contacts } = bed();
			expect(await filesHolding(userFolder, DEFAULT_API_KEY)).toEqual([]);
			const withAddress = await filesHolding(userFolder, sim.baseUrl);
			expect(withAddress.some((file) => file.includes('database.sqlite'))).toBe(true);
			expectOnlyOwnHosts(await contacts(), [connectionTo(sim.port)]);
		});
	});
}
