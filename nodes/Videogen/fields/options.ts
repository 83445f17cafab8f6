import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { MAX_NAME_CHARACTERS, MAX_URL_CHARACTERS } from '../ground/text';
import { DEFAULT_MODEL_FAMILY } from '../service/contract/limits';
import {
	addedEntry,
	collectionField,
	entryOrDefault,
	type Field,
	numberField,
	propertiesOf,
	switchField,
	textField,
} from './field';
import { LABELS } from '../ground/words';
import { urlField } from './lists';
import { createBinaryPropertyOutput } from './output';
import { waitEntries } from './wait';

/** The one collection of all operations; `operations/index.ts` says which entries it offers. */
export const options: Field<IDataObject> = collectionField({
	displayName: LABELS.options,
	name: 'options',
});

const callbackUrl = urlField({
	displayName: LABELS.callbackUrl,
	name: 'callbackUrl',
	placeholder: 'e.g. https://n8n.example.com/webhook/…',
	description:
		'URL that the service calls when the task is done. It must be reachable from the internet (advanced).',
});

const contentFilter = switchField({
	displayName: LABELS.contentFilter,
	name: 'contentFilter',
	default: true,
	description:
		'Whether the service filters the content. Switching it off makes each video more expensive.',
});

/** Shown when the content filter is off, because that costs money. */
export const surchargeNotice: INodeProperties = {
	displayName: `With '${LABELS.contentFilter}' off, each video costs more: the service adds a surcharge`,
	name: 'contentFilterNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '/options.contentFilter': [false] } },
};

const generateAudio = switchField({
	displayName: LABELS.generateAudio,
	name: 'generateAudio',
	default: true,
	description: 'Whether to generate audio for the video',
});

/** In place of the credential's; empty for that. */
export const modelFamily = textField(
	{
		displayName: LABELS.modelFamily,
		name: 'modelFamily',
		default: '',
		placeholder: `e.g. ${DEFAULT_MODEL_FAMILY}`,
		description:
			'How the names of the models begin, for this node instead of the credential’s: one model for drafts, another for finals. Empty is the credential’s.',
	},
	z.string().trim().max(MAX_NAME_CHARACTERS),
	'It is a short text, such as videogen-2.5.',
);

const maxConcurrentTasks = numberField(
	{
		displayName: LABELS.maxConcurrentTasks,
		name: 'maxConcurrentTasks',
		// The contract shows no limit of an account.
		default: 20,
		description: 'How many videos are generated at the same time. The first item sets it for all.',
	},
	z.number().int().min(1),
	'a whole number, at least 1',
);

const DEFAULT_MAX_NEW_TASKS = 100;

const maxNewTasks = numberField(
	{
		displayName: LABELS.maxNewTasks,
		name: 'maxNewTasks',
		default: DEFAULT_MAX_NEW_TASKS,
		description:
			'How many videos this node may create in one execution, all loops together. A run that would create more creates none. Not added, it is 10 in the editor with a live credential. The first item sets it for all. For an MCP client each call counts by itself.',
	},
	z.number().int().min(1),
	'a whole number, at least 1',
);

const orderKey = textField(
	{
		displayName: LABELS.orderKey,
		name: 'orderKey',
		default: '',
		placeholder: 'e.g. {{ $json.id }}-{{ $today.toISODate() }}',
		description:
			'Sent as Idempotency-Key: a provider that honours keys makes one video for it within a day, for example for a row’s ID and the date',
	},
	z.string().trim().max(MAX_URL_CHARACTERS),
	'It is a text, such as the ID of a row.',
);

const resendAfterNoReply = switchField({
	displayName: LABELS.resendAfterNoReply,
	name: 'resendAfterNoReply',
	default: false,
	description:
		'Whether a retry may send a request again that was not answered clearly. It carries the same order key (Idempotency-Key): a service that honours keys makes no second video of it, for about a day. Of other services you may get, and pay for, two.',
});

const reuseInEditor = switchField({
	displayName: LABELS.reuseInEditor,
	name: 'reuseInEditor',
	default: true,
	description:
		'Whether an execution in the editor takes a video that this node ordered with the same request within a day, instead of ordering another. Switch it off for another take.',
});

/** The entries of creates that do not decide which video is made. */
export const runOptions = [
	...waitEntries,
	createBinaryPropertyOutput,
	...propertiesOf([
		callbackUrl,
		maxConcurrentTasks,
		maxNewTasks,
		orderKey,
		resendAfterNoReply,
		reuseInEditor,
	]),
];

/** The entries of every create. */
export const createOptions = [
	...runOptions,
	...propertiesOf([contentFilter, generateAudio, modelFamily]),
];

/** The options that every create can send, if the person added them. */
export const sentOptions = (entries: IDataObject) => ({
	generate_audio: addedEntry(entries, generateAudio),
	content_filter: addedEntry(entries, contentFilter),
	callback_url: addedEntry(entries, callbackUrl),
});

/**
 * How the node treats the create of an item.
 * @throws InvalidParameter naming the option
 */
export const createSettingsFrom = (entries: IDataObject) => ({
	maxConcurrentTasks: entryOrDefault(entries, maxConcurrentTasks),
	/** `undefined` where the person did not add it. */
	maxNewTasks: addedEntry(entries, maxNewTasks),
	/** Text of the person's own from which the key of the order is derived. */
	orderKey: addedEntry(entries, orderKey) || undefined,
	resendAfterNoReply: entryOrDefault(entries, resendAfterNoReply),
	reuseInEditor: entryOrDefault(entries, reuseInEditor),
});
export type CreateSettings = ReturnType<typeof createSettingsFrom>;

/** One click on a full sheet costs no hundreds. */
const MAX_NEW_TASKS_IN_EDITOR = 10;

/** @param isEditor Whether a person runs it in the editor, with a live credential. */
export const maxNewTasksIn = ({ maxNewTasks: added }: CreateSettings, isEditor: boolean): number =>
	added ?? (isEditor ? MAX_NEW_TASKS_IN_EDITOR : DEFAULT_MAX_NEW_TASKS);
