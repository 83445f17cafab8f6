import { isReadableTaskId } from '../service/task';
import { InvalidParameter, isEmpty, shown } from './invalidParameter';

/** The form of an id is not shown (service-spec.md, 2.2); these characters fit no path segment. */
const UNFIT = /[\s/\\?#%\p{Cc}]/u;

/** The id of a task to read; it comes from people and expressions, and goes into a path. */
export function taskIdFrom(field: string, value: unknown): string {
	const id = typeof value === 'number' ? String(value) : value;
	const text = typeof id === 'string' ? id.trim() : id;
	if (isEmpty(text)) {
		throw new InvalidParameter(
			field,
			'is empty.',
			'Give the "id" that a create operation returned, for example {{ $json.id }}.',
		);
	}
	if (typeof text !== 'string' || UNFIT.test(text) || !isReadableTaskId(text)) {
		throw new InvalidParameter(
			field,
			`${shown(text)} is not a task ID.`,
			'Give the "id" exactly as a create operation returned it: one word, no address and no spaces.',
		);
	}
	return text;
}
