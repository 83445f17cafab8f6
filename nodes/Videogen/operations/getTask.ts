import { getTaskDownloadFields } from '../parameters/download';
import { taskId } from '../parameters/taskId';
import { getTaskWaitFields } from '../parameters/wait';
import type { Operation } from './operation';

/** Reads a task that exists, or waits for it (service-spec.md, section 4.2). */
export const getTask: Operation = {
	value: 'getTask',
	name: 'Get Task',
	action: 'Get task',
	description:
		'Read the status and the results of a task that was created before, or wait until it is finished. Creates nothing and costs nothing.',
	fields: [taskId.property, ...getTaskWaitFields, ...getTaskDownloadFields],
	intent: (parameters) => ({ kind: 'read', taskId: taskId.read(parameters.get('taskId')) }),
};
