import { z } from 'zod';
import type { CredentialRef, N8nApi, SavedWorkflow, VideogenCredentialData } from '../n8n/api';
import { exampleFiles, readExample, withSettings } from '../n8n/examples';
import {
	VIDEOGEN_NODE,
	VIDEOGEN_TOOL_TYPE,
	VIDEOGEN_TYPE,
	videogenWorkflow,
	type NewNode,
} from '../n8n/workflows';

/** The demo's n8n listens on this machine only, so its login may be printed. */
export const DEMO_LOGIN = { email: 'demo@example.com', password: 'Videogen-demo-1' };

const CREDENTIAL_NAME = 'Videogen simulator';
const WORKFLOW_NAME = 'Videogen demo';
const VIDEOGEN_TYPES = [VIDEOGEN_TYPE, VIDEOGEN_TOOL_TYPE];
const START_OVER = 'Delete the folder .demo to start over.';

const completedTaskSchema = z.object({
	status: z.literal('completed'),
	results: z.array(z.string()).min(1),
});

/** What the example put out. */
export interface ExampleResult {
	task: Record<string, unknown>;
	resultUrls: string[];
}

/** Logs in as the demo's owner, who is made on the first run. */
export async function logIn(api: N8nApi): Promise<void> {
	if (await api.needsOwner()) return await api.setupOwner(DEMO_LOGIN);
	try {
		await api.login(DEMO_LOGIN);
	} catch {
		throw new Error(`The demo's n8n does not accept the demo's login any more. ${START_OVER}`);
	}
}

/** Makes the credential, or points the one from an earlier run at the simulator's address. */
export async function ensureCredential(
	api: N8nApi,
	data: VideogenCredentialData,
): Promise<CredentialRef> {
	const found = await api.findCredential(CREDENTIAL_NAME);
	return found
		? await api.updateCredential(found, data)
		: await api.createCredential(CREDENTIAL_NAME, data);
}

/** Makes the example workflow; one from an earlier run is kept with the changes a person made. */
export async function ensureWorkflow(
	api: N8nApi,
	credential: CredentialRef,
): Promise<SavedWorkflow> {
	const found = await api.findWorkflow(WORKFLOW_NAME);
	if (found !== undefined) return await useCredential(api, found, credential);
	const parameters = {
		prompt: 'A paper boat sails across a puddle at sunset, close to the water',
		downloadResults: true,
	};
	const workflow = videogenWorkflow({ name: WORKFLOW_NAME, credential, parameters });
	return await api.createWorkflow({ ...workflow, nodes: [...workflow.nodes, ...NOTES] });
}

/** What to do first, and what to try next. */
const NOTES = [
	[
		'## Start here',
		'Press **Execute workflow**. The simulated service takes six seconds. Then double-click **Videogen** and press **View** in the output: the video plays.',
		'Nothing is paid here: the service is a simulator on this machine.',
	],
	[
		'## What to try next',
		'- **A failed video**: write `[fail]` into Prompt, and read the error.',
		'- **A limit**: set Duration to 99. Nothing is sent.',
		'- **An image**: choose the operation Create Image Video, and give the URL of an image.',
		'- **Many videos**: open the workflow *Videogen: many prompts with a report* in the list of workflows. The other examples are there, too.',
	],
].map((lines, index): NewNode => ({
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
	credential: CredentialRef,
	settings: Readonly<Record<string, string>>,
): Promise<void> {
	for (const file of exampleFiles()) {
		const example = withSettings(readExample(file), settings);
		const found = await api.findWorkflow(example.name);
		const saved = found ?? (await api.createWorkflow(example));
		await useCredential(api, saved, credential);
	}
}

/** A credential that was deleted in the editor has another id when it comes back. */
async function useCredential(
	api: N8nApi,
	workflow: SavedWorkflow,
	{ id, name }: CredentialRef,
): Promise<SavedWorkflow> {
	const credentials = { videogenApi: { id, name } };
	const nodes = workflow.nodes.map((node) =>
		VIDEOGEN_TYPES.includes(node.type) ? { ...node, credentials } : node,
	);
	return await api.updateNodes({ ...workflow, nodes });
}

/**
 * Runs the example to its end.
 * @throws Error in plain words when the task was not completed.
 */
export async function runExample(api: N8nApi, workflow: SavedWorkflow): Promise<ExampleResult> {
	const execution = await api.waitForExecution(await api.runWorkflow(workflow));
	if (execution.status !== 'success') {
		const { message = 'n8n gives no reason', description } = execution.error ?? {};
		const reason = [message, description].filter(Boolean).join(' ');
		throw new Error(`The example ended with status "${execution.status}": ${reason}`);
	}
	const task = execution.output(VIDEOGEN_NODE)[0]?.json ?? {};
	const completed = completedTaskSchema.safeParse(task);
	if (completed.success) return { task, resultUrls: completed.data.results };
	throw new Error(
		`The example put out no completed task, but ${JSON.stringify(task)}. ${START_OVER}`,
	);
}
