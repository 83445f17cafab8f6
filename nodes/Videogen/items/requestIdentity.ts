import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isJsonObject } from '../common/json';
import type { PlannedRequest } from '../parameters/plannedRequest';
import { isTool } from './errorPolicy';

/** Parameters that are not sent: changing them does not ask for another video. */
const NOT_SENT = ['waitForCompletion', 'waitOptions', 'downloadResults', 'binaryPropertyOutput'];
const OPTIONS_NOT_SENT = ['callbackUrl', 'maxConcurrentTasks', 'resendAfterNoReply'];

/**
 * What makes a retry ask for the same video: what the person wrote in the node, expressions
 * unresolved because `$now` or a random seed gives something else on every try, and the item that
 * they are resolved for, which n8n saves with the execution. Calls of an agent's tool have nothing
 * in common but the values that the agent gave.
 */
export function requestIdentity(
	context: IExecuteFunctions,
	itemIndex: number,
	{ body }: PlannedRequest,
): unknown {
	if (isTool(context)) return without({ ...body }, ['callback_url']);
	const written = without(context.getNode().parameters, NOT_SENT);
	const { options } = written;
	if (isJsonObject(options)) written.options = without(options, OPTIONS_NOT_SENT);
	return [body.model, written, asSaved(context.getInputData()[itemIndex]?.json)];
}

const without = (values: object, names: string[]): IDataObject =>
	Object.fromEntries(
		Object.entries(values)
			.filter(([name]) => !names.includes(name))
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);

/** What cannot be written as JSON cannot be saved with an execution either. */
function asSaved(json: IDataObject | undefined): string | undefined {
	try {
		return JSON.stringify(json);
	} catch {
		return undefined;
	}
}
