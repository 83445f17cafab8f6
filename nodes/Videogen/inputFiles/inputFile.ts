import { isJsonObject } from '../common/json';
import { InvalidParameter, shown } from '../parameters/invalidParameter';

/** A file of the input item that the service is to fetch by a link. */
export class ItemFile {
	constructor(
		/** Stands for the file in a request that is remembered; links change with every try. */
		readonly reference: string,
		/** In lower case, without parameters. */
		readonly mediaType: string,
		/** A new link on each call; it opens the file without a login until it expires. */
		readonly link: () => string,
	) {}
}

/** The binary fields of one input item. */
export interface ItemFiles {
	/**
	 * The file in a binary field, checked to be one that can be handed on.
	 * @throws InvalidParameter naming the parameter and the binary field
	 */
	take(parameter: string, binaryField: unknown): ItemFile;
}

/** n8n's own name for the file of an item. */
export const DEFAULT_BINARY_FIELD = 'data';

/** What stands at a place of the request: an address as given, or a file. */
export type Media = string | ItemFile;

/** The request with every file written as `write` says, ready to be checked. */
export const withFiles = (
	request: Record<string, unknown>,
	write: (file: ItemFile) => string,
): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(request).map(([name, value]) => [
			name,
			Array.isArray(value)
				? value.map((entry: unknown) => (entry instanceof ItemFile ? write(entry) : entry))
				: value,
		]),
	);

/** Lists in lists that are still taken as one; a list that holds itself would have no end. */
const MAX_NESTING = 8;

/** The names of binary fields in a list, as people write one; order is kept. */
export function binaryFieldNames(value: unknown, depth = 0): unknown[] {
	if (value === undefined || value === null) return [];
	if (Array.isArray(value) && depth < MAX_NESTING) {
		return value.flatMap((name) => binaryFieldNames(name, depth + 1));
	}
	if (typeof value !== 'string') return [value];
	return value
		.split(/[,\n]/)
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

/** @throws InvalidParameter when the file is no picture */
export function assertPicture(parameter: string, file: ItemFile, binaryField: unknown): void {
	if (file.mediaType.startsWith('image/')) return;
	throw new InvalidParameter(
		parameter,
		`${shownField(binaryField)} holds ${described(file)}, not a picture.`,
		'Give a binary field with a picture: JPEG, PNG or WebP.',
	);
}

/** A file as messages speak of it. */
export const described = ({ mediaType }: ItemFile): string =>
	mediaType === '' ? 'a file of unknown type' : `a file of the type ${mediaType}`;

/** A binary field as messages show it; an expression may have given the file itself. */
export const shownField = (binaryField: unknown): string =>
	isJsonObject(binaryField) ? 'the given file' : `the binary field ${shown(binaryField)}`;
