import type { INodeProperties } from 'n8n-workflow';
import { taskIdIn } from '../service/task';
import { type Field, valueIn } from './field';
import { emptyField, InvalidParameter, isEmpty, shown, LABELS } from '../ground/words';
import { binaryPropertyOutput, getTaskDownload } from './output';
import { getTaskWait, waitEntries } from './wait';
import type { Operation } from './operation';

/** A common mistake. The form of an id is not shown otherwise (docs/service.md, 2.2). */
const HTTP_URL = /^https?:\/\//i;

const property: INodeProperties = {
	displayName: LABELS.taskId,
	name: 'taskId',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. task_8fk2…',
	description: 'The ID that a create operation gave',
};

/** The id of a task to read. */
export const taskId: Field<string> = {
	property,
	read(given) {
		if (isEmpty(given)) {
			throw emptyField(
				property,
				'Give the "id" that a create operation returned, for example {{ $json.id }}.',
			);
		}
		// What a person pastes often has a blank or a line end around it.
		const id = taskIdIn(given)?.trim();
		if (id !== undefined && !HTTP_URL.test(id)) return id;
		throw new InvalidParameter(
			property,
			`: ${shown(given)} is not a task ID.`,
			'Give the "id" exactly as a create operation returned it, not a URL.',
		);
	},
};

/** Reads a task that exists, or waits for it (docs/service.md, section 4.2). */
export const getTask: Operation = {
	value: 'getTask',
	isCreate: false,
	name: LABELS.getTask,
	action: 'Get task',
	description:
		'Get the status and the video of a task that exists, or wait until it is finished. It creates nothing.',
	fields: [taskId.property],
	wait: getTaskWait,
	download: getTaskDownload,
	options: [...waitEntries, binaryPropertyOutput.property],
	intent: async (parameters) => ({ taskId: valueIn(parameters, taskId) }),
};
