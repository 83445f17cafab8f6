import { getTaskDownloadFields } from '../parameters/downloadFields';
import { getTaskWaitFields } from '../parameters/waitFields';
import { LABELS } from '../parameters/labels';
import { taskIdFrom } from '../parameters/taskId';
import type { Operation } from './operation';

/** Reads a task that exists, or waits for it (service-spec.md, section 4.2). */
export const getTask: Operation = {
	value: 'getTask',
	name: 'Get Task',
	action: 'Get task',
	description:
		'Read the status and the results of a task that was created before, or wait until it is finished. Creates nothing and costs nothing.',
	fields: [
		{
			displayName: LABELS.taskId,
			name: 'taskId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. task_8fk2…',
			description:
				'What a create operation returned as the ID of its task. An expression can take it from the node before.',
		},
		...getTaskWaitFields,
		...getTaskDownloadFields,
	],

	intent(parameters) {
		return { kind: 'read', taskId: taskIdFrom(LABELS.taskId, parameters.get('taskId')) };
	},
};
