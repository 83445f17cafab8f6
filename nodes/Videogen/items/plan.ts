import type { IExecuteFunctions } from 'n8n-workflow';
import type { Connection } from '../parameters/connection';
import { itemFilesOf } from '../inputFiles/n8nInputFiles';
import type { DownloadSettings } from '../parameters/download';
import { downloadFrom } from '../parameters/download';
import type { CreateSettings } from '../parameters/options';
import { createSettingsFrom } from '../parameters/options';
import type { Parameters } from '../parameters/field';
import type { WaitSettings } from '../parameters/wait';
import { waitFrom } from '../parameters/wait';
import type { Message } from '../messages/message';
import { invalidMessage } from '../messages/outcomeMessage';
import type { Intent, IntentSettings, Operation } from '../operations/operation';

/** What one item asks for, all of it checked, nothing sent. */
export interface ItemPlan {
	intent: Intent;
	wait: WaitSettings | undefined;
	download: DownloadSettings | undefined;
	/** For creates. */
	createSettings: CreateSettings | undefined;
}

/** An item's plan, or what is wrong with its parameters. */
export type PlannedItem = { plan: ItemPlan } | { invalid: Message };

/** Checks every item before the first is sent, so that a bad one does not follow paid ones. */
export function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	{ modelFamily, baseUrl }: Connection,
): PlannedItem[] {
	return context.getInputData().map((_, itemIndex) => {
		try {
			const settings = { modelFamily, files: itemFilesOf(context, itemIndex, baseUrl) };
			return { plan: planItem(parametersOf(context, itemIndex), operation, settings) };
		} catch (thrown) {
			return { invalid: invalidMessage(thrown) };
		}
	});
}

function planItem(
	parameters: Parameters,
	operation: Operation,
	settings: IntentSettings,
): ItemPlan {
	const intent = operation.intent(parameters, settings);
	return {
		intent,
		wait: waitFrom(parameters),
		download: downloadFrom(parameters),
		createSettings: intent.kind === 'create' ? createSettingsFrom(parameters) : undefined,
	};
}

const parametersOf = (context: IExecuteFunctions, itemIndex: number): Parameters => ({
	get: (name) => context.getNodeParameter(name, itemIndex, null),
});
