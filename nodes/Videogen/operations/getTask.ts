import { parseJson } from '../shared/json';
import { usableId } from '../service/task';
import { type Field, fieldOf, valueIn } from '../fields/field';
import { LABELS } from '../shared/messages';
import { binaryPropertyOutput, getTaskDownload } from '../fields/output';
import { getTaskWait, waitEntries } from '../fields/wait';
import type { Operation } from './operation';

/**
 * People often paste a URL by mistake. Other formats pass, because the contract does not define one
 * for IDs (docs/internals/service-contract.md, section 2.2).
 */
const HTTP_URL = /^https?:\/\//i;

/** Messages write an ID with invisible characters as a JSON string. */
function unquoted(given: unknown): unknown {
	const isQuoted = typeof given === 'string' && given.startsWith('"');
	return isQuoted ? (parseJson(given) ?? given) : given;
}

export const taskId: Field<string> = fieldOf(
	{
		displayName: LABELS.taskId,
		name: 'taskId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. task_8fk2…',
		description: 'The ID that a create operation returned',
	},
	'Give the "id" exactly as a create operation returned it, for example {{ $json.id }}, and not a URL.',
	(given) => {
		// Pasted IDs often have a blank or a line end around them.
		const id = usableId(unquoted(given))?.trim();
		return id !== undefined && HTTP_URL.test(id) ? undefined : id;
	},
);

/** Reads an existing task, or waits for it (docs/internals/service-contract.md, section 4.2). */
export const getTask: Operation = {
	value: 'getTask',
	isCreate: false,
	name: LABELS.getTask,
	action: 'Get task',
	description:
		'Retrieve the status and the video of an existing task, or wait until it is completed. It creates nothing.',
	fields: [taskId.property],
	wait: getTaskWait,
	download: getTaskDownload,
	options: [...waitEntries, binaryPropertyOutput.property],
	valuesFrom: async (parameters) => ({ taskId: valueIn(parameters, taskId) }),
};
