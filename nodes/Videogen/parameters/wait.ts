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
	valueIn,
} from './field';
import { LABELS } from './labels';

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
		displayName: 'Check Every (Seconds)',
		name: 'pollIntervalSeconds',
		default: 5,
		description: 'How often the node checks the task while its progress is unknown, at least 1',
	},
	z.number().finite().min(1),
	'It is a number of seconds, at least 1.',
);

const streamProgress = switchField({
	displayName: 'Stream Progress',
	name: 'streamProgress',
	default: true,
	description:
		'Whether to write short lines on how far the videos are into a chat or an answer that n8n streams. Elsewhere it changes nothing.',
});

/** A week. A larger number is a mistake, such as a moment in place of a length. */
const MAX_TIMEOUT_MINUTES = 7 * 24 * 60;

const timeoutField = (since: string): Field<number> =>
	numberField(
		{
			displayName: LABELS.timeoutMinutes,
			name: 'timeoutMinutes',
			// Long enough for a slow generation, short enough to notice a stuck one the same hour.
			default: 20,
			description: `How long to wait for each task, from the moment ${since}`,
		},
		z.number().positive().max(MAX_TIMEOUT_MINUTES),
		`It is a number of minutes greater than 0, and at most ${MAX_TIMEOUT_MINUTES} (7 days).`,
	);

const waitMethod = menuField(
	{
		displayName: LABELS.waitMethod,
		name: 'waitMethod',
		default: 'poll',
		description: 'How to wait. At rest, the execution uses no resources and survives restarts.',
	},
	WAIT_METHODS,
	{ poll: { name: LABELS.poll }, callback: { name: 'Rest Until the Service Calls Back' } },
);

/** The switch for waiting, and its settings. */
function waitFields(
	texts: { default: boolean; description: string },
	since: string,
	method?: typeof waitMethod,
) {
	const wait = switchField({
		displayName: LABELS.waitForCompletion,
		name: 'waitForCompletion',
		...texts,
	});
	const timeoutMinutes = timeoutField(since);
	const entries = [onFailure, onTimeout, pollIntervalSeconds, streamProgress, timeoutMinutes];
	const options = collectionField(
		{
			displayName: LABELS.waitOptions,
			name: 'waitOptions',
			displayOptions: { show: { waitForCompletion: [true] } },
		},
		propertiesOf([...entries, ...(method ? [method] : [])]),
	);
	return {
		properties: propertiesOf([wait, options]),
		/** The item's settings; `undefined` when it does not wait. */
		from(parameters: Parameters): WaitSettings | undefined {
			if (!valueIn(parameters, wait)) return undefined;
			const given = valueIn(parameters, options);
			return {
				intervalMs: entryOrDefault(given, pollIntervalSeconds) * 1_000,
				// Timers and dates count whole milliseconds.
				timeoutMs: Math.ceil(entryOrDefault(given, timeoutMinutes) * 60_000),
				method: method ? entryOrDefault(given, method) : 'poll',
				onTimeout: entryOrDefault(given, onTimeout),
				onFailure: entryOrDefault(given, onFailure),
				streamProgress: entryOrDefault(given, streamProgress),
			};
		},
	};
}

export const createWait = waitFields(
	{
		default: true,
		description:
			'Whether to wait until the video is finished, usually one to five minutes. Stopping the execution does not stop the video. When off, the node returns at once and Get Task can get the video later.',
	},
	'it is created',
	waitMethod,
);

/** For a task that exists. Whether it has a callback was decided when it was created. */
export const getTaskWait = waitFields(
	{
		default: false,
		description:
			'Whether to wait until the task is finished. When off, you get the task as it is now.',
	},
	'this node begins to wait',
);
