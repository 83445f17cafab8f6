import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Connection } from '../fields/credential';
import { NOT_OF_REQUEST } from '../fields/options';
import type { CreateValues } from '../operations/operation';
import { hashOf, isJsonObject, jsonTextOf } from '../shared/json';
import { executionIdOf, isTool, runIndexOf } from '../shared/n8n';
import type { Scope } from '../work/choose';
import type { Asked } from '../work/order';

/** The environment and the service. The API key may change while the account stays. */
const serviceOf = ({ isPractice, baseUrl }: Pick<Connection, 'isPractice' | 'baseUrl'>) => [
	isPractice,
	baseUrl,
];

/** Whose orders a run of the node works with. */
export function scopeOf(context: IExecuteFunctions, connection: Connection): Scope {
	const workflowId = context.getWorkflow().id ?? '';
	const nodeId = context.getNode().id;
	return {
		// MCP clients call outside of an execution, but each call has a context of its own.
		executionId: executionIdOf(context) ?? '',
		run: runIndexOf(context),
		isTool: isTool(context),
		isManual: context.getMode() === 'manual',
		node: hashOf([workflowId, nodeId, serviceOf(connection), connection.apiKey]),
		keyParts: [context.getInstanceId(), workflowId, nodeId],
	};
}

/**
 * @param json The input item, without the error of this node that it came back with. What cannot be
 *   written as JSON cannot be saved with an execution either.
 */
export const fieldsHashOf = (parametersHash: string, json: IDataObject): string =>
	hashOf(jsonTextOf([parametersHash, json]) ?? randomUUID());

/** What tells the requests of a node from each other, besides their own values. */
export function identityOf(parameters: IDataObject, connection: Connection) {
	const service = serviceOf(connection);
	return { service, parametersHash: hashOf([service, ofRequest(parameters)]) };
}

export function askedBy(
	{ service, parametersHash }: ReturnType<typeof identityOf>,
	{ request, settings }: CreateValues,
	fieldsHash: string,
): Asked {
	const keyText = settings.idempotencyKey;
	const withoutCallback = { ...request, callback_url: undefined };
	const requestHash = hashOf([service, keyText, withoutCallback]);
	return { keyText, request, requestHash, parametersHash, fieldsHash };
}

/** The node's saved parameters, without those that do not affect which video is made. */
const ofRequest = (parameters: IDataObject): Array<[string, unknown]> =>
	Object.entries(parameters)
		.filter(([name]) => !NOT_OF_REQUEST.includes(name))
		.map(([name, value]): [string, unknown] => [
			name,
			name === 'options' && isJsonObject(value) ? ofRequest(value) : value,
		])
		// n8n may save no options at all, which is the same as none that affect the request.
		.filter(([name, value]) => name !== 'options' || String(value) !== '')
		.sort(([one], [other]) => (one < other ? -1 : 1));
