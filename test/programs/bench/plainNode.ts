import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { z } from 'zod';
import {
	CREATE_PATH,
	DEFAULT_MODEL_FAMILY,
	TASKS_PATH,
	modelOf,
} from '../../../nodes/Videogen/service/contract/limits';
import { DEFAULT_API_KEY } from '../simulator';

const recordSchema = z.object({ id: z.string(), status: z.string() }).passthrough();

/**
 * The same creates and reads by bare `httpRequest` calls, as many at once, with nothing around
 * them: no checks, no waiting, no memory, no handling of errors. What this node costs beyond it is
 * the price of all that.
 */
export const plainNode = (baseUrl: string, atOnce: number): INodeType => ({
	description: {
		displayName: 'Plain',
		name: 'plain',
		group: ['transform'],
		version: 1,
		description: 'Bare httpRequest calls',
		defaults: { name: 'Plain' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		return [await runAll(this, baseUrl, atOnce)];
	},
});

async function runAll(
	context: IExecuteFunctions,
	baseUrl: string,
	atOnce: number,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const output: INodeExecutionData[] = [];
	let next = 0;
	const worker = async () => {
		for (let item = next++; item < items.length; item = next++) {
			const json = await makeVideo(context, baseUrl, items[item]?.json.prompt);
			output[item] = { json, pairedItem: { item } };
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return output;
}

async function makeVideo(
	context: IExecuteFunctions,
	baseUrl: string,
	prompt: unknown,
): Promise<IDataObject> {
	const headers = { authorization: `Bearer ${DEFAULT_API_KEY}` };
	const model = modelOf(DEFAULT_MODEL_FAMILY, 'text-to-video');
	const body = { model, prompt, duration: 5, quality: '720p' };
	const created: unknown = await context.helpers.httpRequest({
		method: 'POST',
		url: `${baseUrl}/${CREATE_PATH}`,
		headers,
		body,
		json: true,
	});
	const { id } = recordSchema.parse(created);
	for (;;) {
		const url = `${baseUrl}/${TASKS_PATH}/${id}`;
		const read: unknown = await context.helpers.httpRequest({ url, headers, json: true });
		const record = recordSchema.parse(read);
		if (record.status === 'completed') return JSON.parse(JSON.stringify(record));
	}
}
