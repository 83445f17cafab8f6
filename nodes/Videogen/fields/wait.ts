import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { WaitSettings } from '../work/session';
import { entryIn, numberField, propertiesOf, switchField } from './field';
import { LABELS } from '../shared/messages';

const waitSwitch = (texts: { default: boolean; description: string }) =>
	switchField({ displayName: LABELS.waitForCompletion, name: 'waitForCompletion', ...texts });

export const createWait = waitSwitch({
	default: true,
	description: `Whether to wait until the video is completed: minutes, with some models half an hour. When off, the node only creates it, and ${LABELS.getTask} gets it later. Stopping the workflow does not cancel a video: the provider still generates and charges for it.`,
});

/** For an existing task. */
export const getTaskWait = waitSwitch({
	default: false,
	description:
		'Whether to wait until the video is completed. When off, you get the task as it is now. Stopping the workflow does not cancel the video.',
});

/** Shows wait options only while waiting is on. */
const WHILE_WAITING = { displayOptions: { show: { '/waitForCompletion': [true] } } };

const pollIntervalSeconds = numberField(
	{
		displayName: 'Check Every (Seconds)',
		name: 'pollIntervalSeconds',
		default: 5,
		description: 'For administrators: how often the node checks a video at first',
		...WHILE_WAITING,
	},
	z.number().finite().min(1),
	'a number of seconds, at least 1',
);

/** A week. A larger number is a mistake, such as a timestamp instead of a duration. */
const MAX_TIMEOUT_MINUTES = 7 * 24 * 60;

const timeoutMinutes = numberField(
	{
		displayName: LABELS.timeoutMinutes,
		name: 'timeoutMinutes',
		// Half an hour is normal for some models; an hour is not.
		default: 60,
		description: `How long to wait for each video, also while the provider is busy. Raise it for slow models; a video that takes longer is still generated, and ${LABELS.getTask} gets it.`,
		...WHILE_WAITING,
	},
	z.number().positive().max(MAX_TIMEOUT_MINUTES),
	`a number greater than 0, up to ${MAX_TIMEOUT_MINUTES} (7 days)`,
);

/** The wait options of every operation. */
export const waitEntries = propertiesOf([pollIntervalSeconds, timeoutMinutes]);

/** @throws InvalidParameter naming the option */
export const waitSettingsFrom = (entries: IDataObject): WaitSettings => ({
	intervalMs: entryIn(entries, pollIntervalSeconds) * 1_000,
	// Timers and dates count whole milliseconds.
	timeoutMs: Math.ceil(entryIn(entries, timeoutMinutes) * 60_000),
});
