import { taskIdIn } from '../service/task';
import { type Field, fieldOf, valueIn } from './field';
import { LABELS } from '../shared/messages';
import { binaryPropertyOutput, getTaskDownload } from './output';
import { getTaskWait, waitEntries } from './wait';
import type { Operation } from './operation';

/** A common mistake. The form of an id is not shown otherwise (docs/service.md, 2.2). */
const HTTP_URL = /^https?:\/\//i;

/** The id of a task to read. */
export const taskId: Field<string> = fieldOf(
	{
		displayName: LABELS.taskId,
		name: 'taskId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. task_8fk2…',
		description: 'The ID that a create operation gave',
	},
	'Give the "id" exactly as a create operation returned it, for example {{ $json.id }}, and not a URL.',
	(given) => {
		// What a person pastes often has a blank or a line end around it.
		const id = taskIdIn(given)?.trim();
		return id !== undefined && HTTP_URL.test(id) ? undefined : id;
	},
);

/** Reads a task that exists, or waits for it (docs/service.md, section 4.2). */
export const getTask: Operation = {
	value: 'getTask',
	isCreate: false,
	name: LABELS.getTask,
	action: 'Get task',
	description:
		'Get the status and the video of a task that exists, or wait until it is completed. It creates nothing.',
	fields: [taskId.property],
	wait: getTaskWait,
	download: getTaskDownload,
	options: [...waitEntries, binaryPropertyOutput.property],
	intent: async (parameters) => ({ taskId: valueIn(parameters, taskId) }),
};
