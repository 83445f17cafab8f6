import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import type { CredentialRef, DataTable } from '../../programs/realN8n/api';
import {
	ORDERS_COLUMNS,
	prepared,
	readExample,
	tableSetting,
} from '../../programs/realN8n/examples';
import { pollUntil } from '../../programs/realN8n/poll';
import {
	VIDEOGEN_TOOL_TYPE,
	partOf,
	withCredential,
	type NewNode,
	type NewWorkflow,
} from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import { waiting } from '../vocabulary';

export const MCP = 'videos-from-claude.json';

const TRIGGER = 'MCP Server';
const START = 'Start_Video';
const GET = 'Get_Video';
const TOKEN = 'the-secret-of-the-mcp-clients';
const LISTENS_TIMEOUT_MS = 30_000;
/** Clients of these tests lose patience before n8n has its answer. */
const PATIENCE_MS = 1_000;

const answerSchema = z.object({ content: z.array(z.object({ text: z.string() })) });
const taskSchema = z.object({ id: z.string(), status: z.string() });
const orderSchema = z.object({ status: z.string(), taskId: z.string(), note: z.string() });

/** What a tool answers with, in words or as the JSON of what the last node gave. */
async function call(client: Client, name: string, args: Record<string, string>, timeout?: number) {
	const request = { name, arguments: args };
	const { content } = answerSchema.parse(await client.callTool(request, undefined, { timeout }));
	return content.map(({ text }) => text).join('\n');
}
const start = async (client: Client, prompt: string, timeout?: number) =>
	z.tuple([orderSchema]).parse(JSON.parse(await call(client, START, { prompt }, timeout)))[0];
const get = async (client: Client, taskId: string) =>
	z.tuple([taskSchema]).parse(JSON.parse(await call(client, GET, { taskId })))[0];

/** Videos for MCP clients, with the official client and the recipe for it. */
export function testMcp(n8n: Suite): void {
	describe('an MCP client', () => {
		let secret: CredentialRef;
		beforeAll(async () => {
			const data = { token: TOKEN };
			secret = await n8n.api.createCredential('MCP clients', data, 'httpBearerAuth');
		});

		const connect = async (path: string): Promise<Client> => {
			const client = new Client({ name: 'tests', version: '1.0.0' });
			const headers = { authorization: `Bearer ${TOKEN}` };
			const url = new URL(`${n8n.api.baseUrl}/mcp/${path}`);
			await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
			return n8n.closeAtEnd(client);
		};

		/** Imports the recipe as its note says, publishes it, and waits until n8n listens. */
		const publish = async (
			settings: Record<string, string> = {},
			change = (workflow: NewWorkflow) => workflow,
		): Promise<{ path: string; table: DataTable }> => {
			const { api, bed, version } = n8n;
			const path = randomUUID();
			const table = await api.createDataTable(`Orders ${path}`, ORDERS_COLUMNS);
			const recipe = prepared(readExample(MCP), {
				credentials: { videogenApi: bed.credential, httpBearerAuth: secret },
				settings: { ordersTable: tableSetting(table, version), ...settings },
			});
			const trigger = recipe.nodes.find(({ name }) => name === TRIGGER);
			Object.assign(trigger?.parameters ?? {}, { path });
			await api.publish(await api.createWorkflow(change(recipe)));
			const listens = async () => {
				const { status: code } = await fetch(`${api.baseUrl}/mcp/${path}`, { method: 'POST' });
				return code !== 404 || undefined;
			};
			await pollUntil(listens, { what: 'n8n to listen', timeoutMs: LISTENS_TIMEOUT_MS });
			return { path, table };
		};
		/** What a person reads in the table, in the order in which it was asked for. */
		const ordersIn = async (table: DataTable) =>
			(await n8n.api.rowsOf(table))
				.sort((one, other) => Number(one.id) - Number(other.id))
				.map((row) => [row.prompt, row.status, row.taskId]);

		it('finds two tools, starts a video, and gets it until it is completed', async () => {
			const { path, table } = await publish();
			const client = await connect(path);
			const { tools } = await client.listTools();
			expect(tools.map(({ name }) => name).sort()).toEqual([GET, START]);
			expect(tools.map(({ description }) => description)).toEqual(
				expect.arrayContaining([
					expect.stringMatching(/costs money.*never again for the same wish/),
					expect.stringMatching(/call it again with the same taskId/),
				]),
			);

			n8n.sim.planTask({ durationMs: 3_000 });
			const { taskId, note } = await start(client, ' A fox ');
			expect(taskId).toBe(n8n.onlyTask().id);
			expect(note).toContain(JSON.stringify(n8n.onlyTask().record().usage));
			expect(await get(client, taskId)).toMatchObject({ id: taskId, status: 'completed' });
			expect(await ordersIn(table)).toEqual([['A fox', 'ordered', taskId]]);
		});

		it('that gives up and asks again pays once, and gets the task', async () => {
			n8n.sim.script({ on: 'create', fault: { kind: 'slow', ms: 8 * PATIENCE_MS } });
			const { path, table } = await publish();
			const client = await connect(path);
			await expect(start(client, 'A fox', PATIENCE_MS)).rejects.toThrow('Request timed out');
			await n8n.sim.waitForRequest(({ route }) => route === 'create');
			const note = expect.stringContaining('another call is ordering this video');
			expect(await start(client, 'A fox')).toEqual({ status: 'repeated', taskId: '', note });

			const ordered = async () => (await start(client, 'A fox')).taskId || undefined;
			const taskId = await pollUntil(ordered, { what: 'the task', timeoutMs: LISTENS_TIMEOUT_MS });
			expect(taskId).toBe(n8n.onlyTask().id);
			expect((await ordersIn(table))[0]).toEqual(['A fox', 'ordered', taskId]);
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		n8n.itOnNewest(
			'works beside others, and what two ask for at once is ordered once',
			async () => {
				const { path, table } = await publish();
				const prompts = ['A fox', 'A fox', 'An owl', 'A fox', 'An owl'];
				const all = await Promise.all(prompts.map(async () => await connect(path)));
				const started = async (client: Client, index: number) =>
					await start(client, String(prompts[index]));
				const orders = await Promise.all(all.map(started));

				expect(n8n.sim.creates().map(({ prompt }) => prompt)).toHaveLength(2);
				expect(orders.filter((order) => order.status === 'ordered')).toHaveLength(2);
				for (const [index, client] of all.entries()) {
					const { taskId } = await start(client, String(prompts[index]));
					expect(taskId).toBe(n8n.taskOf(prompts[index]).id);
				}
				expect(await ordersIn(table)).toHaveLength(10);
			},
		);

		n8n.itOnNewest('is told in words that the month is full, and nothing is created', async () => {
			const { path, table } = await publish({ maxVideosEachMonth: '1' });
			const client = await connect(path);
			const { taskId } = await start(client, 'A fox');
			const note = expect.stringContaining('the limit of 1 videos this month is reached');
			const refused = { status: 'over the limit', taskId: '', note };
			expect(await start(client, 'An owl')).toEqual(refused);
			// What exists is still found, and what was refused has not been counted.
			expect(await start(client, 'A fox')).toMatchObject({ status: 'repeated', taskId });
			expect(n8n.onlyTask().id).toBe(taskId);
			expect((await ordersIn(table)).map(([, state]) => state)).toEqual([
				...['ordered', 'over the limit', 'repeated'],
			]);
		});

		it('is refused by a tool that creates and would wait, before anything is sent', async () => {
			const tool: NewNode = {
				...{ id: 'waits', name: 'Create and Wait', type: VIDEOGEN_TOOL_TYPE, typeVersion: 1 },
				...{ position: [0, 0], parameters: { prompt: 'A fox', ...waiting() } },
			};
			const { path } = await publish({}, (workflow) => ({
				...workflow,
				nodes: [...workflow.nodes, withCredential(tool, { videogenApi: n8n.bed.credential })],
				connections: { ...workflow.connections, [tool.name]: partOf(TRIGGER, 'ai_tool') },
			}));
			const text = await call(await connect(path), 'Create_and_Wait', {});
			expect(text).toContain('Wait for Completion is on, but an MCP client does not wait');
			expect(n8n.sim.requests).toEqual([]);
		});
	});
}
