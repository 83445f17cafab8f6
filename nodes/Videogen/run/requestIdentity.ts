import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { hashOf, isJsonObject } from '../ground/json';
import type { GenerationRequest } from '../service/contract/request';
import { propertiesOf } from '../fields/field';
import { runOptions } from '../fields/options';
import { createDownload, simplify } from '../fields/output';
import { createWait } from '../fields/wait';

/** Fields that do not decide which video is made. */
const UNRELATED = [...propertiesOf([createWait, createDownload, simplify]), ...runOptions];
const UNRELATED_NAMES = ['callback_url', ...UNRELATED.map(({ name }) => name)];

/** What a node holds of a request, from which each try makes its own. */
interface Source {
	/** As saved, expressions unresolved. */
	parameters: IDataObject;
	/** The node's fields. */
	fields: INodeProperties[];
	/** The input item that expressions are resolved for. */
	item: IDataObject | undefined;
}

/**
 * What makes a retry ask for the same video, as short texts of which one that is the same is enough:
 * - what the person wrote in the node, for the same input item, which n8n saves with the execution:
 *   `$now` or a random seed gives something else on every try;
 * - the request itself: an edited field may give the same as before for this item.
 *
 * Calls of an agent's tool have nothing in common but the values that the agent gave.
 * @param serviceUrl Another service has other tasks.
 * @param source `undefined` for an agent's tool.
 */
export function requestIdentities(
	body: GenerationRequest,
	serviceUrl: string,
	source: Source | undefined,
): string[] {
	const asWritten = source && [body.model, written(source), asSaved(source.item)];
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

/**
 * Defaults are left out: n8n fills them in for fields that a newer version of this package has, also
 * in an execution that is retried.
 */
function written({ parameters, fields }: Source): IDataObject {
	const isDefault = (name: string, value: unknown) =>
		fields.some((field) => field.name === name && isSame(field.default, value));
	return Object.fromEntries(
		Object.entries(aboutVideo(parameters)).filter(([name, value]) => !isDefault(name, value)),
	);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** What cannot be written as JSON cannot be saved with an execution either. */
function asSaved(item: IDataObject | undefined): string | undefined {
	try {
		return JSON.stringify(item);
	} catch {
		return undefined;
	}
}
