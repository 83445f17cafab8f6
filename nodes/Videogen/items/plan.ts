import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Service } from '../parameters/connection';
import { takeFileOf } from '../inputFiles/n8nInputFiles';
import { InvalidParameter } from '../parameters/invalidParameter';
import { downloadFrom, type DownloadSettings } from '../parameters/download';
import { waitFrom, type WaitSettings } from '../parameters/wait';
import type { Message } from '../messages/message';
import { emptyExpressionMessage, invalidMessage } from '../messages/outcomeMessage';
import type { Intent, Operation } from '../operations/operation';
import type { ItemState } from './result';

/** What one item asks for, all of it checked, nothing sent. */
export interface ItemPlan {
	intent: Intent;
	wait: WaitSettings | undefined;
	download: DownloadSettings | undefined;
}

/** Checks every item before the first is sent, so that a bad one does not follow paid ones. */
export function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	{ modelFamily, baseUrl }: Service,
): ItemState[] {
	const intentOf = operation.intents(modelFamily);
	const written = context.getNode().parameters;
	const messageFor = (thrown: unknown, item: IDataObject): Message => {
		if (!(thrown instanceof InvalidParameter) || !thrown.isEmpty) return invalidMessage(thrown);
		const { name = '' } = operation.fields.find((one) => one.displayName === thrown.field) ?? {};
		const text = written[name];
		const isExpression = typeof text === 'string' && text.startsWith('=');
		return isExpression ? emptyExpressionMessage(thrown, text, item) : invalidMessage(thrown);
	};
	return context.getInputData().map(({ json }, itemIndex) => {
		const parameters = {
			get: (name: string): unknown => context.getNodeParameter(name, itemIndex, null),
		};
		try {
			const intent = intentOf(parameters, takeFileOf(context, itemIndex, baseUrl));
			return { plan: { intent, wait: waitFrom(parameters), download: downloadFrom(parameters) } };
		} catch (thrown) {
			return { result: { error: messageFor(thrown, json) } };
		}
	});
}
