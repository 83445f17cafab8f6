import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import type { Field, Parameters } from './field';
import {
	addedEntry,
	collectionField,
	entryOrDefault,
	numberField,
	propertiesOf,
	switchField,
} from './field';
import { urlFrom } from './lists';

/** How many unfinished tasks a run keeps at the service. The contract shows no account limit. */
export const MAX_CONCURRENT_TASKS = { min: 1, default: 20 } as const;

export const callbackUrl: INodeProperties = {
	displayName: 'Callback URL',
	name: 'callbackUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/…',
	description:
		'Where the service reports when the task changes, for example the resume URL of a Wait node. It must be reachable from the internet.',
};

const contentFilter = switchField({
	displayName: 'Content Filter',
	name: 'contentFilter',
	default: true,
	description:
		'Whether the service filters what it generates. Switching this off carries a surcharge on the price of the video.',
});

/** Shown as soon as the filter is switched off, because it costs money. */
export const surchargeNotice: INodeProperties = {
	displayName:
		'With the content filter off, the service adds a surcharge to the price of each video.',
	name: 'contentFilterNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '/options.contentFilter': [false] } },
};

export const generateAudio = switchField({
	displayName: 'Generate Audio',
	name: 'generateAudio',
	default: true,
	description: 'Whether the video gets audio that fits it, where the service supports it',
});

export const maxConcurrentTasks = numberField(
	{
		displayName: 'Max Concurrent Tasks',
		name: 'maxConcurrentTasks',
		default: MAX_CONCURRENT_TASKS.default,
		description:
			'How many unfinished tasks the node keeps at the service at once. The value of the first valid item counts for all.',
	},
	z.number().int().min(MAX_CONCURRENT_TASKS.min),
	`It is a whole number, at least ${MAX_CONCURRENT_TASKS.min}.`,
);

export const resendAfterNoReply = switchField({
	displayName: 'Retry Unanswered Requests',
	name: 'resendAfterNoReply',
	default: false,
	description:
		'Whether a retry sends a request again whose first try got no answer. That first try may have created a task too, so you may pay twice.',
});

/** What the node itself keeps to; the service hears nothing of it. */
export const nodeOptions = propertiesOf([maxConcurrentTasks, resendAfterNoReply]);

/** The Options collection of a create operation, with its own entries among the shared ones. */
export const optionsField = (own: INodeProperties[] = []): Field<IDataObject> =>
	collectionField({ displayName: 'Options', name: 'options' }, [
		callbackUrl,
		...propertiesOf([contentFilter, generateAudio]),
		...nodeOptions,
		...own,
	]);

/** What all of them have in common, for reading and for messages. */
export const options = optionsField();

/** The shared options that are sent, those that the user added. */
export const sentOptions = (entries: IDataObject) => ({
	generate_audio: addedEntry(entries, generateAudio),
	content_filter: addedEntry(entries, contentFilter),
	callback_url: urlFrom(callbackUrl.displayName, entries.callbackUrl),
});

/** How the node treats creates besides what it sends. */
export interface CreateSettings {
	maxConcurrentTasks: number;
	resendAfterNoReply: boolean;
}

/**
 * The item's settings for its create.
 * @throws InvalidParameter naming the option
 */
export function createSettingsFrom(parameters: Parameters): CreateSettings {
	const entries = options.read(parameters.get('options'));
	return {
		maxConcurrentTasks: entryOrDefault(entries, maxConcurrentTasks),
		resendAfterNoReply: entryOrDefault(entries, resendAfterNoReply),
	};
}
