import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { MAX_NAME_CHARACTERS, MAX_URL_CHARACTERS } from '../shared/text';
import type { CreateSettings } from '../work/session';
import { DEFAULT_MODEL_FAMILY } from '../service/contract/limits';
import {
	addedEntry,
	collectionField,
	entryIn,
	type Field,
	numberField,
	propertiesOf,
	switchField,
	textField,
} from './field';
import { InvalidParameter, LABELS } from '../shared/messages';
import { urlField } from './lists';
import { createBinaryPropertyOutput, createDownload, simplify } from './output';
import { ANY_WORD } from './expressionGaps';
import { createWait, waitEntries } from './wait';

/** The one Options collection. Each operation decides which entries it offers. */
export const options: Field<IDataObject> = collectionField({
	displayName: LABELS.options,
	name: 'options',
});

const callbackUrl = urlField({
	displayName: LABELS.callbackUrl,
	name: 'callbackUrl',
	placeholder: 'e.g. https://n8n.example.com/webhook/…',
	description:
		'For administrators: a URL that the provider calls when the video is completed. It must be reachable over the internet.',
});

const contentFilter = switchField({
	displayName: 'Content Filter',
	name: 'contentFilter',
	default: true,
	description:
		'Whether the provider checks what the video shows. Leave it on: without this check, a video may cost more.',
});

const generateAudio = switchField({
	displayName: 'Generate Audio',
	name: 'generateAudio',
	default: true,
	description: 'Whether the video has sound. Turn it off for a silent video.',
});

/** Overrides the credential's value unless it is empty. */
export const modelFamily = textField(
	{
		displayName: LABELS.modelFamily,
		name: 'modelFamily',
		default: '',
		placeholder: `e.g. ${DEFAULT_MODEL_FAMILY}`,
		description:
			'A model other than the one in the credential. For example, use seedance-2.0-fast for drafts and seedance-2.5 for finals.',
	},
	z.string().max(MAX_NAME_CHARACTERS),
	`Use a text of at most ${MAX_NAME_CHARACTERS} characters, such as videogen-2.5.`,
);

const maxConcurrentTasks = numberField(
	{
		displayName: LABELS.maxConcurrentTasks,
		name: 'maxConcurrentTasks',
		// The contract does not state a limit per account.
		default: 20,
		description:
			'How many videos the node creates and waits for at the same time. Lower it if the provider rejects some as too many; the first item sets it for all.',
	},
	z.number().int().min(1),
	'a whole number, at least 1',
);

/** Keeps one click on a full sheet from paying for hundreds of videos. */
const MAX_NEW_TASKS_IN_EDITOR = 10;
const MAX_NEW_TASKS_IN_PRODUCTION = 100;

const maxNewTasks = numberField(
	{
		displayName: LABELS.maxNewTasks,
		name: 'maxNewTasks',
		default: MAX_NEW_TASKS_IN_EDITOR,
		description: `The most videos that this node may create in one execution: if there are more, it creates none. Set it to what you want to pay for at most; the first item sets it for all. Without this option, it is ${MAX_NEW_TASKS_IN_EDITOR} in a manual execution and ${MAX_NEW_TASKS_IN_PRODUCTION} in production or in a sub-workflow.`,
	},
	z.number().int().min(1),
	'a whole number, at least 1',
);

const idempotencyKey = textField(
	{
		displayName: LABELS.idempotencyKey,
		name: 'idempotencyKey',
		default: '',
		placeholder: 'e.g. {{ $json.row_number }}-{{ $today.toISODate() }}',
		description:
			'Your own text for this video, such as the row’s ID and the date. Add it if a trigger may fire twice: a provider that honors keys creates one video for it within a day.',
	},
	z.string().max(MAX_URL_CHARACTERS).regex(ANY_WORD),
	`Use a text with letters or digits, such as the ID of a row, of at most ${MAX_URL_CHARACTERS} characters.`,
);

const resendAfterNoReply = switchField({
	displayName: LABELS.resendAfterNoReply,
	name: 'resendAfterNoReply',
	default: false,
	description:
		"Whether a retry sends a request again that the provider did not confirm. Leave it off until you have looked in the provider's console, because you may pay twice.",
});

const reuseInEditor = switchField({
	displayName: LABELS.reuseInEditor,
	name: 'reuseInEditor',
	default: true,
	description:
		'Whether a manual execution reuses the video that the same request created within a day, unless n8n was restarted. Turn it off to get a new version.',
});

/** Options of creates that do not affect which video is made. */
const runOptions = [
	...waitEntries,
	createBinaryPropertyOutput,
	...propertiesOf([
		callbackUrl,
		maxConcurrentTasks,
		maxNewTasks,
		idempotencyKey,
		resendAfterNoReply,
		reuseInEditor,
	]),
];

/** Names of the create parameters and options that do not affect which video is made. */
export const NOT_OF_REQUEST: string[] = [
	...propertiesOf([createWait, createDownload, simplify]),
	...runOptions,
].map(({ name }) => name);

/** The Options entries of every create operation. */
export const createOptions = [
	...runOptions,
	...propertiesOf([contentFilter, generateAudio, modelFamily]),
];

/**
 * The options that every create can send, if the user added them.
 * @throws InvalidParameter
 */
export function sentOptions(entries: IDataObject, isWaiting: boolean) {
	const callback_url = addedEntry(entries, callbackUrl);
	if (isWaiting && callback_url !== undefined) refuseResumeUrl(callback_url);
	return {
		generate_audio: addedEntry(entries, generateAudio),
		content_filter: addedEntry(entries, contentFilter),
		callback_url,
	};
}

/** Where n8n resumes an execution that waits at a Wait node or a form. */
const RESUME_URL = /\/(?:webhook|form)-waiting(?:-test)?\//;

/**
 * The provider would call this URL while the node itself is still waiting, so the Wait node after
 * it would never be called.
 */
function refuseResumeUrl(url: string): void {
	if (!RESUME_URL.test(url)) return;
	throw new InvalidParameter(
		callbackUrl.property,
		` cannot resume a Wait node while '${LABELS.waitForCompletion}' is on: the provider would call it too early.`,
		`Turn off '${LABELS.waitForCompletion}', or remove '${LABELS.callbackUrl}' and the Wait node.`,
	);
}

/** @throws InvalidParameter naming the option */
export const createSettingsFrom = (entries: IDataObject): CreateSettings => ({
	maxConcurrentTasks: entryIn(entries, maxConcurrentTasks),
	maxNewTasks: addedEntry(entries, maxNewTasks),
	idempotencyKey: addedEntry(entries, idempotencyKey) ?? '',
	resendAfterNoReply: entryIn(entries, resendAfterNoReply),
	// Each execution has a resume URL of its own, so no other one asks for the same.
	reuseInEditor:
		entryIn(entries, reuseInEditor) && !RESUME_URL.test(addedEntry(entries, callbackUrl) ?? ''),
});

/** @param isManual Whether a person runs the workflow in the editor, live or for practice. */
export const maxNewTasksIn = (
	{ maxNewTasks: added }: Pick<CreateSettings, 'maxNewTasks'>,
	isManual: boolean,
): number => added ?? (isManual ? MAX_NEW_TASKS_IN_EDITOR : MAX_NEW_TASKS_IN_PRODUCTION);
