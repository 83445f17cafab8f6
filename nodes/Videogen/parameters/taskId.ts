import { isReadableTaskId } from '../service/task';
import type { Field } from './field';
import { EMPTY, InvalidParameter, isEmpty, shown } from './invalidParameter';

/** The form of an id is not shown (service-spec.md, 2.2); these characters fit no path segment. */
const UNFIT_CHARACTER = /[\s/\\?#%\p{Cc}]/u;

const LABEL = 'Task ID';

/** The id of a task to read; it comes from people and expressions, and goes into a path. */
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
		const id = typeof given === 'number' ? String(given) : given;
		const text = typeof id === 'string' ? id.trim() : '';
		if (text !== '' && !UNFIT_CHARACTER.test(text) && isReadableTaskId(text)) return text;
		throw new InvalidParameter(
			LABEL,
			`${shown(given)} is not a task ID.`,
			'Give the "id" exactly as a create operation returned it: one word, no URL and no spaces.',
		);
	},
};
