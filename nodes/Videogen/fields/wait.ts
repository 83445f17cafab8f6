import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { WAIT_ENDINGS, type WaitSettings } from '../work/entry';
import { entryOrDefault, menuField, numberField, propertiesOf, switchField } from './field';
import { LABELS } from '../ground/words';

const waitSwitch = (texts: { default: boolean; description: string }) =>
	switchField({ displayName: LABELS.waitForCompletion, name: 'waitForCompletion', ...texts });

export const createWait = waitSwitch({
	default: true,
	description:
		'Whether to wait until the video is finished: minutes, for some models half an hour. Stopping the execution does not stop the video. When off, the node returns at once and Get Task can get the video later.',
});

/** For a task that exists. */
export const getTaskWait = waitSwitch({
	default: false,
	description:
		'Whether to wait until the task is finished. When off, you get the task as it is now.',
});

/** Options of waiting show only then. */
const WHILE_WAITING = { displayOptions: { show: { '/waitForCompletion': [true] } } };

const endingField = (displayName: string, name: string, description: string) =>
	menuField({ displayName, name, default: 'error', description, ...WHILE_WAITING }, WAIT_ENDINGS, {
		error: { name: 'Stop With an Error', description: 'The error names the task' },
		returnTask: { name: 'Return the Task', description: 'The output is the task as it last was' },
	});

const onFailure = endingField(
	'On Failed Task',
	'onFailure',
	'While waiting: what to do when the task failed, was cancelled or expired',
);
const onTimeout = endingField(
	'On Timeout',
	'onTimeout',
	'While waiting: what to do when the task is not finished in time. It keeps running at the service.',
);

const pollIntervalSeconds = numberField(
	{
		displayName: 'Check Every (Seconds)',
		name: 'pollIntervalSeconds',
		default: 5,
		description:
			'While waiting: how often the node checks the task at first, at least 1. The longer it takes, the less often (advanced).',
		...WHILE_WAITING,
	},
	z.number().finite().min(1),
	'a number of seconds, at least 1',
);

const streamProgress = switchField({
	displayName: 'Stream Progress',
	name: 'streamProgress',
	default: true,
	description:
		'Whether to write short lines on how far the videos are while waiting, into a chat or an answer that n8n streams. Elsewhere it changes nothing.',
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
		description:
			'While waiting: how long for each task, from the moment it is created, and before that for a service that is busy (429). Get Task counts from when it begins to wait.',
		...WHILE_WAITING,
	},
	z.number().positive().max(MAX_TIMEOUT_MINUTES),
	`a number of minutes greater than 0, and at most ${MAX_TIMEOUT_MINUTES} (7 days)`,
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
