import { asText, type ChatRequest, type ModelTurn } from '../n8n/openAi';
import type { CredentialRef, N8nApi, SavedWorkflow } from '../n8n/api';
import { TABLE_COLUMNS, type TableName } from '../n8n/examples';
import {
	chainWorkflow,
	triggerNode,
	videogenNode,
	withCredential,
	type Credentials,
	type NewNode,
	type NewWorkflow,
} from '../n8n/workflows';

const BOAT = 'A paper boat sails across a puddle at sunset, close to the water';
const QUEUE_TABLE: TableName = 'Videogen queue';
/** A day that has come. */
const DUE = '2026-01-01';
const QUEUED_PROMPTS = [BOAT, '[failed] A row whose video fails'];

/**
 * Makes a credential of each type, or points that from an earlier run at today's addresses.
 * @param wanted What they hold, by their types, which are their names, too.
 */
export async function ensureCredentials(
	api: N8nApi,
	wanted: Readonly<Record<string, object>>,
): Promise<Credentials> {
	const credentials: Record<string, CredentialRef> = {};
	for (const [type, data] of Object.entries(wanted)) {
		const found = await api.findCredential(type, type);
		credentials[type] = found
			? await api.updateCredential(found, data, type)
			: await api.createCredential(type, data, type);
	}
	return credentials;
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

/**
 * Makes the workflow; one from an earlier run is kept with the changes a person made. A credential
 * that was deleted in the editor has another ID when it comes back.
 */
export async function ensureWorkflow(
	api: N8nApi,
	workflow: NewWorkflow,
	credentials: Credentials,
): Promise<SavedWorkflow> {
	const saved = (await api.findWorkflow(workflow.name)) ?? (await api.createWorkflow(workflow));
	const nodes = saved.nodes.map((node) => withCredential(node, credentials));
	return await api.updateNodes({ ...saved, nodes });
}

/** What the demo's chat model does: one video for each message. */
export function oneVideoPerMessage({ messages }: ChatRequest): ModelTurn {
	const last = messages.at(-1);
	const said = asText(last?.content);
	if (last?.role !== 'tool') return { calls: [{ prompt: said, aspectRatio: '16:9' }] };
	const url = /https?:[^"\s]+/.exec(said)?.[0];
	return { says: () => (url ? `Here is your video: ${url}` : `There is no video: ${said}`) };
}

/** What a person looks at first. */
export function firstWorkflow(credentials: Credentials, watchUrl: string): NewWorkflow {
	const parameters = { prompt: BOAT, downloadResults: true, simplify: true };
	const nodes = [triggerNode(), videogenNode({ parameters })];
	const workflow = chainWorkflow({ name: 'Videogen demo', credentials, nodes });
	return { ...workflow, nodes: [...workflow.nodes, noteWith(watchUrl)] };
}

const noteWith = (watchUrl: string): NewNode => ({
	id: 'note',
	name: 'Note',
	type: 'n8n-nodes-base.stickyNote',
	typeVersion: 1,
	position: [-60, 180],
	parameters: {
		width: 600,
		height: 500,
		content: `## Start here

Click **Execute workflow**. The simulated service takes six seconds. Then double-click **Videogen Tasks** and click **View** in the output: the video plays.

Nothing is paid here: the service is a simulator on this machine.

## What to try next

- **A failed video**: write \`[failed]\` into Prompt, execute, and read the error.
- **A mistake**: set Duration to 99, and execute. Nothing is sent.
- **An image**: choose the operation Create Image Video, and give the URL of an image.
- **Many videos**: open *Sheet to Drive* in the list of workflows, and execute it.
- **The other examples** are in that list, too, and run here as they are: their accounts, chat model, data tables, bucket and mail server are made for the demo. The page [Watch](${watchUrl}) shows what the simulated provider received.`,
	},
});
