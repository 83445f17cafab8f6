import { valueIn } from '../parameters/field';
import { binaryPropertyOutput, getTaskDownload } from '../parameters/output';
import { taskId } from '../parameters/taskId';
import { getTaskWait, waitEntries } from '../parameters/wait';
import type { Operation } from './operation';

/** Reads a task that exists, or waits for it (service-spec.md, section 4.2). */
export const getTask: Operation = {
	value: 'getTask',
	name: 'Get Task',
	action: 'Get task',
	description:
		'Get the status and the video of a task that exists, or wait until it is finished. It creates nothing.',
	fields: [taskId.property],
	wait: getTaskWait,
	download: getTaskDownload,
	options: [...waitEntries, binaryPropertyOutput.property],
	intent: (parameters) => ({ taskId: valueIn(parameters, taskId) }),
};
