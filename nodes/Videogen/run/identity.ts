import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Connection } from '../fields/credential';
import type { PlannedCreate } from '../operations/operation';
import { NOT_OF_REQUEST } from '../fields/options';
import { withLinks } from '../files/inputs';
import { hashOf, isJsonObject } from '../shared/json';
import { executionIdOf, isTool, runIndexOf } from '../shared/n8n';
import type { Scope } from '../work/ledger';
import type { Wish } from '../work/order';

/** Tells a node's orders apart from all others, and the wishes of its items from each other. */
export class Identity {
	/** Whose orders these are. */
	readonly scope: Omit<Scope, 'context' | 'memory'>;

	/** The environment and the service. The API key may change while the account stays. */
	private readonly service: unknown[];

	private readonly parametersHash: string;

	constructor(
		private readonly context: IExecuteFunctions,
		{ apiKey, baseUrl, isPractice }: Omit<Connection, 'service'>,
	) {
		const { id, parameters } = context.getNode();
		this.service = [isPractice ? 'practice' : 'live', baseUrl];
		this.scope = {
			// MCP clients call outside of an execution, but each call has a context of its own.
			executionId: executionIdOf(context) ?? '',
			run: runIndexOf(context),
			isTool: isTool(context),
			isManual: context.getMode() === 'manual',
			node: hashOf([context.getWorkflow().id, id, this.service, apiKey]),
		};
		this.parametersHash = hashOf([this.service, ofRequest(parameters)]);
	}

	/** @param json The input item, without the error of this node that it came back with. */
	wishOf({ request, files, settings }: PlannedCreate, json: IDataObject): Wish {
		const { idempotencyKey: keyText, reuseInEditor, resendAfterNoReply } = settings;
		const { parametersHash, service } = this;
		const asked = { ...request, callback_url: undefined };
		const requestHash = hashOf([service, keyText, asked]);
		return {
			...{ keyText, request, requestHash, parametersHash },
			fieldsHash: fieldsHashOf(parametersHash, json),
			mayReuse: reuseInEditor,
			mayResend: resendAfterNoReply,
			keyFor: (count) => this.keyFor(keyText, count, requestHash),
			toSend: async (saved) => await withLinks(saved, files),
		};
	}

	/** The calls of an agent share one text, so their request is part of the key. */
	private keyFor(keyText: string, count: number, requestHash: string): string {
		const { context } = this;
		if (keyText === '') return randomUUID();
		const node = [context.getInstanceId(), context.getWorkflow().id, context.getNode().id];
		return uuidOf([...node, keyText, count, this.scope.isTool ? requestHash : '']);
	}
}

/** What cannot be written as JSON cannot be saved with an execution either. */
function fieldsHashOf(parametersHash: string, json: IDataObject): string {
	try {
		return hashOf([parametersHash, json]);
	} catch {
		return randomUUID();
	}
}

/** The same parts give the same UUID in every process, formatted as version 4 (RFC 9562). */
function uuidOf(parts: unknown[]): string {
	const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
	bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
	bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
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
