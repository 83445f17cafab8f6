import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { testVideogenCredential } from './credentialTest';
import { executeVideogen } from './run/execute';
import { platformClock } from './shared/clock';
import { SharedState } from './work/sharedState';
import { nodeProperties, operations } from './operations';

/** Operation labels for the subtitle under the node's name on the canvas. */
const OPERATION_NAMES = Object.fromEntries(operations.map(({ value, name }) => [value, name]));

/** Shared by all executions in this process. */
const shared = new SharedState(platformClock);

/** The entry point that n8n loads. The work happens in `run/`. */
export class Videogen implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Videogen Tasks',
		name: 'videogen',
		icon: { light: 'file:videogen.svg', dark: 'file:videogen.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: `={{ (${JSON.stringify(OPERATION_NAMES)})[$parameter["operation"]] }}`,
		description:
			'Create videos from text, images or references, wait for them, and get them as files or URLs',
		defaults: { name: 'Videogen Tasks' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'videogenApi', required: true, testedBy: 'videogenCredentialTest' }],
		properties: nodeProperties,
	};

	methods = { credentialTest: { videogenCredentialTest: testVideogenCredential } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeVideogen(this, shared);
	}
}
