import type { IExecuteFunctions } from 'n8n-workflow';
import type { Connection } from '../parameters/connection';
import { itemFilesOf } from '../inputFiles/n8nInputFiles';
import type { DownloadSettings } from '../parameters/download';
import { downloadFrom } from '../parameters/download';
import type { WaitSettings } from '../parameters/wait';
import { waitFrom } from '../parameters/wait';
import { invalidMessage } from '../messages/outcomeMessage';
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
	{ modelFamily, baseUrl }: Connection,
): ItemState[] {
	return context.getInputData().map((_, itemIndex) => {
		const parameters = {
			get: (name: string): unknown => context.getNodeParameter(name, itemIndex, null),
		};
		try {
			const files = itemFilesOf(context, itemIndex, baseUrl);
			const intent = operation.intent(parameters, { modelFamily, files });
			return { plan: { intent, wait: waitFrom(parameters), download: downloadFrom(parameters) } };
		} catch (thrown) {
			return { result: { error: invalidMessage(thrown) } };
		}
	});
}
