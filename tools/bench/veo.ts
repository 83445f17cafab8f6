import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { sendJson, startHost, type Host } from '../n8n/hosts';
import { CREATE_PATH, TASKS_PATH, taskRecordSchema } from '../simulator/contract';

/** As n8n's node lists it. */
export const VEO_MODEL = 'models/veo-3.1-generate-preview';

const ORDER_PATH = `/v1beta/${VEO_MODEL}:predictLongRunning`;
const OPERATION_PATH = new RegExp(`^/v1beta/(${VEO_MODEL}/operations/(.+))$`);

const createSchema = z.object({ instances: z.tuple([z.object({ prompt: z.string() })]) });

/**
 * Google's Veo API as another face of the simulated service: behind it are the same tasks, the same
 * files, the same faults, and the same count of tasks.
 */
export async function startVeo(service: string): Promise<Host> {
	return await startHost((request, response) => {
		answer(request, service).then(
			({ status, body }) => sendJson(response, status, body),
			(reason) => sendJson(response, 500, { error: { message: String(reason) } }),
		);
	});
}

async function answer(request: IncomingMessage, service: string) {
	const { pathname, searchParams } = new URL(request.url ?? '', service);
	const headers = { authorization: `Bearer ${searchParams.get('key')}` };
	const answered =
		pathname === ORDER_PATH
			? await fetch(`${service}/${CREATE_PATH}`, {
					method: 'POST',
					headers: { ...headers, 'content-type': 'application/json' },
					body: JSON.stringify(createOf(await json(request))),
				})
			: await fetch(`${service}/${TASKS_PATH}/${OPERATION_PATH.exec(pathname)?.[2]}`, { headers });
	const body: unknown = await answered.json();
	return { status: answered.status, body: answered.ok ? operationOf(body) : body };
}

function createOf(sent: unknown) {
	const [{ prompt }] = createSchema.parse(sent).instances;
	return { model: 'videogen-2.5-text-to-video', prompt, duration: 8, quality: '720p' };
}

/** What Google calls a long-running operation. */
function operationOf(record: unknown) {
	const { id, status, results = [] } = taskRecordSchema.parse(record);
	const name = `${VEO_MODEL}/operations/${id}`;
	if (status !== 'completed') return { name };
	const generatedSamples = results.map((uri) => ({ video: { uri } }));
	return { name, done: true, response: { generateVideoResponse: { generatedSamples } } };
}
