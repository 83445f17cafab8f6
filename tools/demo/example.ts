/* eslint-disable @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { asText, type ChatRequest, type ModelTurn } from '../n8n/openAi';
import type { CredentialRef, N8nApi, SavedWorkflow } from '../n8n/api';
import {
	TABLE_COLUMNS,
	exampleFiles,
	readExample,
	withSettings,
	type FilledIn,
	type TableName,
} from '../n8n/examples';
import {
	chainWorkflow,
	triggerNode,
	videogenNode,
	withCredential,
	type Credentials,
	type NewNode,
} from '../n8n/workflows';
import { DEMO_LOGIN } from './program';

const WORKFLOW_NAME = 'Videogen demo';
/** Who writes to the bot. */
export const DEMO_PERSON = 4711;
const BOAT = 'A paper boat sails across a puddle at sunset, close to the water';
const QUEUE_TABLE: TableName = 'Videogen queue';
/** A day that has come. */
const DUE = '2026-01-01';
const QUEUED_PROMPTS = [BOAT, '[failed] A row whose video fails'];

/** Logs in as the demo's owner, who is made on the first run. */
export async function logIn(api: N8nApi): Promise<void> {
	try {
		await api.login(DEMO_LOGIN);
	} catch {
		const solution = 'Delete the folder .demo to start over.';
		throw new Error(`The demo's n8n does not accept the demo's login any more. ${solution}`);
	}
}

/** Makes the credential, or points the one from an earlier run at today's address. */
export async function ensureCredential(
	api: N8nApi,
	type: string,
	name: string,
	data: object,
): Promise<CredentialRef> {
	const found = await api.findCredential(name, type);
	return found
		? await api.updateCredential(found, data, type)
		: await api.createCredential(name, data, type);
}

/** Makes the data tables that the notes ask for, with rows that are due; those of an earlier run are kept. */
export async function ensureTables(api: N8nApi): Promise<void> {
	for (const [name, columns] of Object.entries(TABLE_COLUMNS)) {
		if (await api.findDataTable(name)) continue;
		const table = await api.createDataTable(name, columns);
		if (name !== QUEUE_TABLE) continue;
		await api.addRows(
			table,
			QUEUED_PROMPTS.map((prompt) => ({ date: DUE, prompt, status: 'open' })),
		);
	}
}

/** What the demo's chat model does: one video for each message. */
export function oneVideoPerMessage({ messages }: ChatRequest): ModelTurn {
	const last = messages.at(-1);
	const said = asText(last?.content);
	if (last?.role !== 'tool') return { calls: [{ prompt: said, aspectRatio: '16:9' }] };
	const url = /https?:[^"\s]+/.exec(said)?.[0];
	return { says: () => (url ? `Here is your video: ${url}` : `There is no video: ${said}`) };
}

/** Makes the example workflow; one from an earlier run is kept with the changes a person made. */
export async function ensureWorkflow(
	api: N8nApi,
	credentials: Credentials,
	watchUrl: string,
): Promise<SavedWorkflow> {
	const found = await api.findWorkflow(WORKFLOW_NAME);
	if (found !== undefined) return await useCredentials(api, found, credentials);
	const parameters = { prompt: BOAT, downloadResults: true, simplify: true };
	const nodes = [triggerNode(), videogenNode({ parameters })];
	const workflow = chainWorkflow({ name: WORKFLOW_NAME, credentials, nodes });
	return await api.createWorkflow({ ...workflow, nodes: [...workflow.nodes, ...notes(watchUrl)] });
}

/** What to do first, and what to try next. */
const notes = (watchUrl: string): NewNode[] =>
	[
		[
			'## Start here',
			'Click **Execute workflow**. The simulated service takes six seconds. Then double-click **Videogen Tasks** and click **View** in the output: the video plays.',
			'Nothing is paid here: the service is a simulator on this machine.',
		],
		[
			'## What to try next',
			[
				'- **A failed video**: write `[failed]` into Prompt, execute, and read the error.',
				'- **A mistake**: set Duration to 99, and execute. Nothing is sent.',
				'- **An image**: choose the operation Create Image Video, and give the URL of an image.',
				'- **Many videos**: open *Sheet to Drive* in the list of workflows, and execute it.',
				`- **The other examples** are in that list, too, and run here as they are: their accounts, chat model, data tables, bucket and mail server are made for the demo. The page [Watch](${watchUrl}) shows what the simulated provider received.`,
			].join('\n'),
		],
	].map((lines, index) => ({
		id: `note-${index}`,
		name: `Note ${index + 1}`,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [-60 + index * 380, 180],
		parameters: { content: lines.join('\n\n'), width: 360, height: 360 },
	}));

/** Imports every example that is not there yet, with what a person would fill in. */
export async function ensureExamples(
	api: N8nApi,
	credentials: Credentials,
	settingsOf: (file: string) => FilledIn,
): Promise<void> {
	for (const file of exampleFiles()) {
		const example = withSettings(readExample(file), settingsOf(file));
		const found = await api.findWorkflow(example.name);
		const saved = found ?? (await api.createWorkflow(example));
		await useCredentials(api, saved, credentials);
	}
}

/** A credential that was deleted in the editor has another id when it comes back. */
async function useCredentials(
	api: N8nApi,
	workflow: SavedWorkflow,
	credentials: Credentials,
): Promise<SavedWorkflow> {
	const nodes = workflow.nodes.map((node) => withCredential(node, credentials));
	return await api.updateNodes({ ...workflow, nodes });
}
