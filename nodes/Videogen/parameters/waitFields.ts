import type { INodeProperties } from 'n8n-workflow';
import { LABELS } from './labels';
import { POLL_INTERVAL_SECONDS } from './wait';

const whileWaiting = { show: { waitForCompletion: [true] } };

const endingField = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	options: [
		{
			name: 'Stop With an Error',
			value: 'error',
			description: 'The item ends in an error that names the task',
		},
		{
			name: 'Return the Task',
			value: 'returnTask',
			description: 'The item carries the task as it last was',
		},
	],
	default: 'error',
	description,
});

const waitOptionsField: INodeProperties = {
	displayName: LABELS.waitOptions,
	name: 'waitOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	displayOptions: whileWaiting,
	options: [
		endingField(
			LABELS.onFailure,
			'onFailure',
			'What to do when the service reports that the task failed',
		),
		endingField(
			LABELS.onTimeout,
			'onTimeout',
			'What to do when the task is not finished in time. It goes on at the service.',
		),
		{
			displayName: LABELS.pollIntervalSeconds,
			name: 'pollIntervalSeconds',
			type: 'number',
			typeOptions: { minValue: POLL_INTERVAL_SECONDS.min },
			default: 5,
			description: `How often the node asks for a task's status, in seconds, at least ${POLL_INTERVAL_SECONDS.min}`,
		},
		{
			displayName: LABELS.timeoutMinutes,
			name: 'timeoutMinutes',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 20,
			description: 'How long to wait for each task, in minutes from its own submission',
		},
	],
};

/** Switch and settings for waiting after a create. */
export const createWaitFields: INodeProperties[] = [
	{
		displayName: LABELS.waitForCompletion,
		name: 'waitForCompletion',
		type: 'boolean',
		default: true,
		description:
			'Whether to wait in this node until the video is finished, usually one to five minutes. Many items are waited for together. Otherwise the node returns at once and Get Task can fetch the video later.',
	},
	waitOptionsField,
];

/** The same for a task that exists. */
export const getTaskWaitFields: INodeProperties[] = [
	{
		displayName: LABELS.waitForCompletion,
		name: 'waitForCompletion',
		type: 'boolean',
		default: false,
		description:
			'Whether to wait in this node until the task is finished. Otherwise the node returns the task as it is now.',
	},
	waitOptionsField,
];
