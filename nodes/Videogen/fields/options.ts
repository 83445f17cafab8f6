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

/** The one collection of all operations; each operation says which entries it offers. */
export const options: Field<IDataObject> = collectionField({
	displayName: LABELS.options,
	name: 'options',
});

const callbackUrl = urlField({
	displayName: LABELS.callbackUrl,
	name: 'callbackUrl',
	placeholder: 'e.g. https://n8n.example.com/webhook/…',
	description:
		'For administrators: a URL that the provider calls when the video is finished. It must be reachable from the internet.',
});

const contentFilter = switchField({
	displayName: LABELS.contentFilter,
	name: 'contentFilter',
	default: true,
	description:
		'Whether the provider checks what the video shows. Without this check, each video costs more.',
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
	description: 'Whether the video has sound',
});

/** In place of the credential's; empty for that. */
export const modelFamily = textField(
	{
		displayName: LABELS.modelFamily,
		name: 'modelFamily',
		default: '',
		placeholder: `e.g. ${DEFAULT_MODEL_FAMILY}`,
		description:
			'Another model than that of the credential, for example seedance-2.0-fast for drafts and seedance-2.5 for finals',
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
		description: 'How many videos are made at the same time. The first item sets it for all.',
	},
	z.number().int().min(1),
	'a whole number, at least 1',
);

const DEFAULT_MAX_NEW_TASKS = 100;

/** One click on a full sheet costs no hundreds. */
const MAX_NEW_TASKS_IN_EDITOR = 10;

const maxNewTasks = numberField(
	{
		displayName: LABELS.maxNewTasks,
		name: 'maxNewTasks',
		default: DEFAULT_MAX_NEW_TASKS,
		hint: `Without this option: ${DEFAULT_MAX_NEW_TASKS}, and ${MAX_NEW_TASKS_IN_EDITOR} in the editor (with a live credential)`,
		description:
			'The most videos that this node may order in one run of the workflow: if there are more, it orders none. The first item sets it for all.',
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
			'Your own text for this video, such as the row’s ID and the date, sent as Idempotency-Key. A provider that honours keys makes one video for it within a day.',
	},
	z.string().trim().max(MAX_URL_CHARACTERS),
	'It is a text, such as the ID of a row.',
);

const resendAfterNoReply = switchField({
	displayName: LABELS.resendAfterNoReply,
	name: 'resendAfterNoReply',
	default: false,
	description:
		"Whether the next try sends an order again that the provider did not answer clearly. You may pay twice: look in the provider's console first.",
});

const reuseInEditor = switchField({
	displayName: LABELS.reuseInEditor,
	name: 'reuseInEditor',
	default: true,
	description:
		'Whether a click in the editor uses the video that the same request has ordered within a day, instead of ordering another. Switch it off for another take.',
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

/** @param isEditor Whether a person runs it in the editor, with a live credential. */
export const maxNewTasksIn = ({ maxNewTasks: added }: CreateSettings, isEditor: boolean): number =>
	added ?? (isEditor ? MAX_NEW_TASKS_IN_EDITOR : DEFAULT_MAX_NEW_TASKS);
