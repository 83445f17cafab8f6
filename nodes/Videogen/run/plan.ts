import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../common/onError';
import { takeFileOf } from '../inputFiles/n8nInputFiles';
import { emptyExpressionMessage, invalidMessage } from '../messages/outcomeMessage';
import type { Message } from '../messages/message';
import type { Operation, PlannedCreate } from '../operations/operation';
import type { Service } from '../parameters/connection';
import { downloadFrom, simplifyFrom } from '../parameters/output';
import { InvalidParameter } from '../parameters/invalidParameter';
import { requestIdentities } from '../parameters/requestIdentity';
import { waitFrom } from '../parameters/wait';
import type { Ask } from '../tasks/taskStore';

/** What one item asks for, all of it checked, nothing sent. */
export interface ItemPlan {
	ask: Ask;
	/** How its create is sent; absent when there is none. */
	create?: PlannedCreate;
}

/** Checks every item before the first is sent, so that a bad one does not follow paid ones. */
export function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	{ modelFamily, baseUrl }: Service,
): ItemPlan[] {
	const intentOf = operation.intents(modelFamily);
	const written = context.getNode().parameters;
	return context.getInputData().map(({ json }, item) => {
		const parameters = { get: (name: string) => context.getNodeParameter(name, item, null) };
		try {
			const intent = intentOf(parameters, takeFileOf(context, item, baseUrl));
			const settings = {
				wait: waitFrom(parameters),
				// Agents and MCP clients get no files.
				download: isTool(context) ? undefined : downloadFrom(parameters),
				simplify: simplifyFrom(parameters),
			};
			if (intent.kind === 'read') {
				return { ask: { item, wishes: [], taskId: intent.taskId, ...settings } };
			}
			const request = intent.create.request;
			const source = isTool(context) ? undefined : { parameters: written, item: json };
			const wishes = requestIdentities(request, baseUrl, source);
			return { ask: { item, wishes, request, ...settings }, create: intent.create };
		} catch (thrown) {
			const text = writtenIn(operation, written, thrown);
			return { ask: refused(item, messageFor(thrown, text, json)) };
		}
	});
}

/** An item for which nothing is sent. */
const refused = (item: number, message: Message): Ask => ({
	item,
	wishes: [],
	outcome: { kind: 'notSent', ...message },
});

/** What the person wrote in the field that was found empty. */
function writtenIn(operation: Operation, written: IDataObject, thrown: unknown): unknown {
	if (!(thrown instanceof InvalidParameter) || !thrown.isEmpty) return undefined;
	const { name = '' } = operation.fields.find((one) => one.displayName === thrown.field) ?? {};
	return written[name];
}

const messageFor = (thrown: unknown, written: unknown, item: IDataObject): Message =>
	thrown instanceof InvalidParameter && typeof written === 'string' && written.startsWith('=')
		? emptyExpressionMessage(thrown, written, item)
		: invalidMessage(thrown);
