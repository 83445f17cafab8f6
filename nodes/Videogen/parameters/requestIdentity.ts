import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../common/json';
import type { PlannedRequest } from './plannedRequest';

/** Parameters that are not sent: changing them does not ask for another video. */
const NOT_SENT = ['waitForCompletion', 'waitOptions', 'downloadResults', 'binaryPropertyOutput'];
const OPTIONS_NOT_SENT = ['callbackUrl', 'maxConcurrentTasks', 'resendAfterNoReply'];

/** Where a request comes from. */
export interface RequestSource {
	/** The node's parameters as saved, expressions unresolved; `undefined` for an agent's tool. */
	written: IDataObject | undefined;
	/** The input item that the expressions are resolved for. */
	item: IDataObject | undefined;
	/** The service's address: another service has other tasks. */
	baseUrl: string;
}

/**
 * What makes a retry ask for the same video, as a short text: what the person wrote in the node, as
 * `$now` or a random seed gives something else on every try, and the input item, which n8n saves
 * with the execution. Calls of an agent's tool have nothing in common but the values that the agent
 * gave.
 */
export function requestIdentity(
	{ body }: PlannedRequest,
	{ written, item, baseUrl }: RequestSource,
): string {
	const identity = written
		? [body.model, sentOf(written), asSaved(item)]
		: without({ ...body }, ['callback_url']);
	return createHash('sha256')
		.update(JSON.stringify([baseUrl, identity]))
		.digest('base64url');
}

function sentOf(written: IDataObject): IDataObject {
	const { options, ...sent } = without(written, NOT_SENT);
	return { ...sent, options: isJsonObject(options) ? without(options, OPTIONS_NOT_SENT) : options };
}

const without = (values: object, names: string[]): IDataObject =>
	Object.fromEntries(
		Object.entries(values)
			.filter(([name]) => !names.includes(name))
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);

/** What cannot be written as JSON cannot be saved with an execution either. */
function asSaved(item: IDataObject | undefined): string | undefined {
	try {
		return JSON.stringify(item);
	} catch {
		return undefined;
	}
}
