import type { IDataObject } from 'n8n-workflow';
import { hashOf, isJsonObject } from '../common/json';
import type { GenerationRequest } from '../service/contract/request';
import { createDownload, simplify } from './output';
import { callbackUrl, runOptions } from './options';
import { createWait } from './wait';

/** What can change without asking for another video: fields, options, and the callback. */
const UNRELATED = [
	...createWait.properties,
	...createDownload.properties,
	simplify.property,
	...runOptions,
	callbackUrl.property,
];
const UNRELATED_NAMES = ['callback_url', ...UNRELATED.map(({ name }) => name)];

/**
 * What makes a retry ask for the same video, as short texts of which one that is the same is enough:
 * - what the person wrote in the node, for the same input item, which n8n saves with the execution:
 *   `$now` or a random seed gives something else on every try;
 * - the request itself: an edited field may give the same as before for this item.
 *
 * Calls of an agent's tool have nothing in common but the values that the agent gave.
 * @param serviceUrl Another service has other tasks.
 * @param source The node's parameters as saved, expressions unresolved, and the input item that
 * they are resolved for; `undefined` for an agent's tool.
 */
export function requestIdentities(
	body: GenerationRequest,
	serviceUrl: string,
	source: { parameters: IDataObject; item: IDataObject | undefined } | undefined,
): string[] {
	const asWritten = source && [body.model, aboutVideo(source.parameters), asSaved(source.item)];
	return [aboutVideo(body), ...(asWritten ? [asWritten] : [])].map((identity) =>
		hashOf([serviceUrl, identity]),
	);
}

const aboutVideo = (values: object): IDataObject =>
	Object.fromEntries(
		Object.entries(values)
			.filter(([name]) => !UNRELATED_NAMES.includes(name))
			.map(([name, value]): [string, IDataObject[string]] => [
				name,
				name === 'options' && isJsonObject(value) ? aboutVideo(value) : value,
			])
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
