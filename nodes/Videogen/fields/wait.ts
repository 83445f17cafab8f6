import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { WAIT_ENDINGS, type WaitSettings } from '../work/order';
import { entryOrDefault, menuField, numberField, propertiesOf, switchField } from './field';
import { LABELS } from '../ground/words';

const waitSwitch = (texts: { default: boolean; description: string }) =>
	switchField({ displayName: LABELS.waitForCompletion, name: 'waitForCompletion', ...texts });

export const createWait = waitSwitch({
	default: true,
	description: `Whether to wait until the video is finished: minutes, with some models half an hour. When off, the node only orders it, and ${LABELS.getTask} gets it later.`,
});

/** For a task that exists. */
export const getTaskWait = waitSwitch({
	default: false,
	description:
		'Whether to wait until the video is finished. When off, you get the task as it is now.',
});

/** Options of waiting show only then. */
const WHILE_WAITING = { displayOptions: { show: { '/waitForCompletion': [true] } } };

const WHICH_WINS =
	"With 'Return the Task' it goes to the normal output, whatever On Error in Settings says.";

const endingField = (displayName: string, name: string, description: string) =>
	menuField({ displayName, name, default: 'error', description, ...WHILE_WAITING }, WAIT_ENDINGS, {
		error: {
			name: 'Treat as an Error',
			description: 'On Error in Settings says what happens then',
		},
		returnTask: {
			name: 'Return the Task',
			description: 'The output is the task as it last was',
		},
	});

const onFailure = endingField(
	'When a Video Fails',
	'onFailure',
	`What to do with a video that failed, was cancelled or expired. ${WHICH_WINS}`,
);
const onTimeout = endingField(
	'When Time Is Up',
	'onTimeout',
	`What to do when '${LABELS.timeoutMinutes}' is over and the video is still being made. ${WHICH_WINS}`,
);

const pollIntervalSeconds = numberField(
	{
		displayName: 'Check Every (Seconds)',
		name: 'pollIntervalSeconds',
		default: 5,
		description:
			'For administrators: how often the node asks for a video at first. The longer the video takes, the less often it asks.',
		...WHILE_WAITING,
	},
	z.number().finite().min(1),
	'a number of seconds, at least 1',
);

const streamProgress = switchField({
	displayName: 'Show Progress in Chat',
	name: 'streamProgress',
	default: true,
	description: 'Whether a chat (or another answer that n8n streams) says how far the videos are',
	...WHILE_WAITING,
});

/** A week. A larger number is a mistake, such as a moment in place of a length. */
const MAX_TIMEOUT_MINUTES = 7 * 24 * 60;

const timeoutMinutes = numberField(
	{
		displayName: LABELS.timeoutMinutes,
		name: 'timeoutMinutes',
		// Half an hour is normal for some models, an hour is not.
		default: 60,
		description: `How long to wait for each video, also while the provider is busy. After that it is still made: get it with ${LABELS.getTask}.`,
		...WHILE_WAITING,
	},
	z.number().positive().max(MAX_TIMEOUT_MINUTES),
	`a number greater than 0, and at most ${MAX_TIMEOUT_MINUTES} (7 days)`,
);

/** How every operation waits. */
export const waitEntries = propertiesOf([
	onFailure,
	onTimeout,
	pollIntervalSeconds,
	streamProgress,
	timeoutMinutes,
]);

/**
 * How an item waits.
 * @throws InvalidParameter naming the option
 */
export const waitSettingsFrom = (entries: IDataObject): WaitSettings => ({
	intervalMs: entryOrDefault(entries, pollIntervalSeconds) * 1_000,
	// Timers and dates count whole milliseconds.
	timeoutMs: Math.ceil(entryOrDefault(entries, timeoutMinutes) * 60_000),
	onTimeout: entryOrDefault(entries, onTimeout),
	onFailure: entryOrDefault(entries, onFailure),
	streamProgress: entryOrDefault(entries, streamProgress),
});
