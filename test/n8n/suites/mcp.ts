/* eslint-disable import-x/no-unresolved -- The resolver of n8n's config does not follow this package's exports. */
import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { TABLE_COLUMNS, prepared, readExample, tableSetting } from '../../../tools/n8n/examples';
import { pollUntil } from '../../../tools/n8n/poll';
import {
	VIDEOGEN_TOOL_TYPE,
	partOf,
	withCredential,
	type NewNode,
} from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import { waiting } from '../support/workflows';

export const MCP = 'videos-from-claude.json';

const TRIGGER = 'MCP Server';
const START = 'Start_Video';
const GET = 'Get_Video';
const TOKEN = 'the-secret-of-the-mcp-clients';
/** Clients of these tests lose patience before n8n has its answer. */
const PATIENCE_MS = 1_000;

const answerSchema = z.object({ content: z.array(z.object({ text: z.string() })) });
const taskSchema = z.object({ id: z.string(), status: z.string() });
const answeredSchema = z.object({ status: z.string(), taskId: z.string(), note: z.string() });

/** What a tool answers with, in words or as the JSON of what the last node gave. */
async function call(client: Client, name: string, args: Record<string, string>, timeout?: number) {
	const request = { name, arguments: args };
	const { content } = answerSchema.parse(await client.callTool(request, undefined, { timeout }));
	return content.map(({ text }) => text).join('\n');
}
const start = async (client: Client, prompt: string, timeout?: number) =>
	z.tuple([answeredSchema]).parse(JSON.parse(await call(client, START, { prompt }, timeout)))[0];
const get = async (client: Client, taskId: string) =>
	z.tuple([taskSchema]).parse(JSON.parse(await call(client, GET, { taskId })))[0];

/**
 * Imports the recipe as its note says, publishes it, and waits until n8n listens.
 * @param tool One that the recipe does not have.
 */
async function publish(n8n: Suite, tool?: NewNode) {
	const { api, environment, version } = n8n;
	const path = randomUUID();
	const url = `${api.baseUrl}/mcp/${path}`;
	const table = await api.createDataTable(`Requests ${path}`, TABLE_COLUMNS['Videogen requests']);
	const data = { token: TOKEN };
	const httpBearerAuth = await api.createCredential('MCP clients', data, 'httpBearerAuth');
	const credentials = { videogenApi: environment.credential, httpBearerAuth };
	const settings = { 'Videogen requests': tableSetting(table, version) };
	const recipe = prepared(readExample(MCP), { credentials, settings });
	const trigger = recipe.nodes.find(({ name }) => name === TRIGGER);
	Object.assign(trigger?.parameters ?? {}, { path });
	if (tool) {
		recipe.nodes.push(withCredential(tool, credentials));
		recipe.connections[tool.name] = partOf(TRIGGER, 'ai_tool');
	}
	await api.publish(await api.createWorkflow(recipe));
	const listens = async () => (await fetch(url, { method: 'POST' })).status !== 404 || undefined;
	await pollUntil(listens, { what: 'n8n to listen' });
	return {
		connect: async (): Promise<Client> => {
			const client = new Client({ name: 'tests', version: '1.0.0' });
			const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
			await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
			return n8n.closeAtEnd(client);
		},
		/** What a person reads in the table, in the order in which it was asked for. */
		requests: async () =>
			(await api.rowsOf(table))
				.sort((one, other) => Number(one.id) - Number(other.id))
				.map((row) => [row.prompt, row.status, row.taskId]),
	};
}

/** Videos for MCP clients, with the official client and the recipe for it. */
export function testMcp(n8n: Suite): void {
	describe('an MCP client', () => {
		it('reads the instructions, finds two tools, starts a video, and gets it until it is completed', async () => {
			const { connect, requests } = await publish(n8n);
			const client = await connect();
			expect(client.getInstructions()).toContain('Every new video costs money');
			const { tools } = await client.listTools();
			expect(tools.map(({ name }) => name).sort()).toEqual([GET, START]);
			expect(tools.map(({ description }) => description)).toEqual(
				expect.arrayContaining([
					expect.stringMatching(/costs money.*Never call it again for the same video/),
					expect.stringMatching(/call it again with the same taskId/),
				]),
			);

			n8n.sim.planTask({ durationMs: 3_000 });
			const { taskId } = await start(client, ' A fox ');
			expect(taskId).toBe(n8n.onlyTask().id);
			expect(await get(client, taskId)).toMatchObject({ id: taskId, status: 'completed' });
			expect(await requests()).toEqual([['A fox', 'created', taskId]]);
		});

		it('that gives up and asks again pays once, and gets the task', async () => {
			let answer = () => {};
			const until = new Promise<void>((resolve) => (answer = resolve));
			n8n.sim.script({ on: 'create', fault: { kind: 'held', until } });
			const { connect, requests } = await publish(n8n);
			const client = await connect();
			await expect(start(client, 'A fox', PATIENCE_MS)).rejects.toThrow('Request timed out');
			await n8n.sim.waitForRequest(({ route }) => route === 'create');
			const note = expect.stringContaining('this video is being created');
			expect(await start(client, 'A fox')).toEqual({ status: 'refused', taskId: '', note });

			answer();
			const created = async () => (await start(client, 'A fox')).taskId || undefined;
			const taskId = await pollUntil(created, { what: 'the task' });
			expect(taskId).toBe(n8n.onlyTask().id);
			expect((await requests())[0]).toEqual(['A fox', 'created', taskId]);
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		it('is refused by a tool that creates and would wait, before anything is sent', async () => {
			const { connect } = await publish(n8n, {
				...{ id: 'waits', name: 'Create and Wait', type: VIDEOGEN_TOOL_TYPE, typeVersion: 1 },
				...{ position: [0, 0], parameters: { prompt: 'A fox', ...waiting() } },
			});
			const text = await call(await connect(), 'Create_and_Wait', {});
			expect(text).toContain('Wait for Completion');
			expect(n8n.sim.requests).toEqual([]);
		});
	});
}

/** In SQLite, which writes one row after the other. */
export function testMcpAtOnce(n8n: Suite): void {
	it('what MCP clients ask for at once is created once', async () => {
		const { connect, requests } = await publish(n8n);
		const prompts = ['A fox', 'A fox', 'An owl', 'A fox', 'An owl'];
		const callers = await Promise.all(
			prompts.map(async (prompt) => ({ prompt, client: await connect() })),
		);
		const startAll = async () =>
			await Promise.all(callers.map(async ({ prompt, client }) => await start(client, prompt)));
		const first = await startAll();
		expect(n8n.sim.creates()).toHaveLength(2);
		expect(first.filter(({ status }) => status === 'created')).toHaveLength(2);

		const ids = (await startAll()).map(({ taskId }) => taskId);
		expect(ids).toEqual(prompts.map((prompt) => n8n.taskOf(prompt).id));
		expect(await requests()).toHaveLength(2 * prompts.length);
	});
}
