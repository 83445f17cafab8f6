import { taskIdIn } from '../service/task';
import type { Field } from './field';
import { EMPTY, InvalidParameter, isEmpty, shown } from './invalidParameter';

/** Certainly a mistake; the form of an id is not shown otherwise (service-spec.md, 2.2). */
const URL = /^https?:\/\//i;

const LABEL = 'Task ID';

/** The id of a task to read: any that a record can have. */
export const taskId: Field<string> = {
	property: {
		displayName: LABEL,
		name: 'taskId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. task_8fk2…',
		description: 'The ID that a create operation returned',
	},
	read(given) {
		if (isEmpty(given)) {
			throw new InvalidParameter(
				LABEL,
				EMPTY,
				'Give the "id" that a create operation returned, for example {{ $json.id }}.',
			);
		}
		const id = taskIdIn(given);
		if (id !== undefined && !URL.test(id)) return id;
		throw new InvalidParameter(
			LABEL,
			`${shown(given)} is not a task ID.`,
			'Give the "id" exactly as a create operation returned it, not a URL.',
		);
	},
};
