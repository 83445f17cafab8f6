import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { WAIT_ENDINGS, WAIT_METHODS, type WaitSettings } from '../tasks/entry';
import {
	collectionField,
	entryOrDefault,
	type Field,
	menuField,
	numberField,
	type Parameters,
	propertiesOf,
	switchField,
} from './field';

const waitField = (texts: { default: boolean; description: string }): Field<boolean> =>
	switchField({ displayName: 'Wait for Completion', name: 'waitForCompletion', ...texts });

export const afterCreate = waitField({
	default: true,
	description:
		'Whether to wait until the video is finished, usually one to five minutes. When off, the node returns at once and Get Task can get the video later.',
});
const forTask = waitField({
	default: false,
	description:
		'Whether to wait until the task is finished. When off, you get the task as it is now.',
});

const endingField = (displayName: string, name: string, description: string) =>
	menuField({ displayName, name, default: 'error', description }, WAIT_ENDINGS, {
		error: { name: 'Stop With an Error', description: 'The error names the task' },
		returnTask: { name: 'Return the Task', description: 'The output is the task as it last was' },
	});

const onFailure = endingField('On Failed Task', 'onFailure', 'What to do when the task failed');
const onTimeout = endingField(
	'On Timeout',
	'onTimeout',
	'What to do when the task is not finished in time. It keeps running at the service.',
);

const pollIntervalSeconds = numberField(
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollIntervalSeconds',
		default: 5,
		description: 'How often the node checks the task while its progress is unknown, at least 1',
	},
	z.number().finite().min(1),
	'It is a number of seconds, at least 1.',
);

/** A week, far longer than any video takes: a larger number is a moment given for a length. */
const MAX_TIMEOUT_MINUTES = 7 * 24 * 60;

const timeoutField = (since: string): Field<number> =>
	numberField(
		{
			displayName: 'Timeout (Minutes)',
			name: 'timeoutMinutes',
			// Long enough for a slow generation, short enough to notice a stuck one the same hour.
			default: 20,
			description: `How long to wait for each task, from the moment ${since}`,
		},
		z.number().positive().max(MAX_TIMEOUT_MINUTES),
		`It is a number of minutes greater than 0, and at most ${MAX_TIMEOUT_MINUTES} (7 days).`,
	);
export const timeoutMinutes = timeoutField('it is created');

export const POLL_LABEL = 'Ask Repeatedly (Stay in This Node)';

export const waitMethod = menuField(
	{
		displayName: 'Wait Method',
		name: 'waitMethod',
		default: 'poll',
		description: 'How to wait. At rest, the execution uses no resources and survives restarts.',
	},
	WAIT_METHODS,
	{ poll: { name: POLL_LABEL }, callback: { name: 'Rest Until the Service Calls Back' } },
);

const waitOptionsField = (entries: Array<Pick<Field<unknown>, 'property'>>): Field<IDataObject> =>
	collectionField(
		{
			displayName: 'Wait Options',
			name: 'waitOptions',
			displayOptions: { show: { waitForCompletion: [true] } },
		},
		propertiesOf(entries),
	);
const pollOptions = [onFailure, onTimeout, pollIntervalSeconds];
export const waitOptions = waitOptionsField([...pollOptions, timeoutMinutes, waitMethod]);

/** Switch and settings for waiting after a create. */
export const createWaitFields = propertiesOf([afterCreate, waitOptions]);

/** The same for a task that exists, which was given its callback when it was created. */
export const getTaskWaitFields = propertiesOf([
	forTask,
	waitOptionsField([...pollOptions, timeoutField('this node begins to wait')]),
]);

/** The item's settings for waiting; `undefined` when it does not wait. */
export function waitFrom(parameters: Parameters): WaitSettings | undefined {
	if (!afterCreate.read(parameters.get('waitForCompletion'))) return undefined;
	const options = waitOptions.read(parameters.get('waitOptions'));
	return {
		intervalMs: entryOrDefault(options, pollIntervalSeconds) * 1_000,
		// Timers and dates count whole milliseconds.
		timeoutMs: Math.ceil(entryOrDefault(options, timeoutMinutes) * 60_000),
		method: entryOrDefault(options, waitMethod),
		onTimeout: entryOrDefault(options, onTimeout),
		onFailure: entryOrDefault(options, onFailure),
	};
}
