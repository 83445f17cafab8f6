import type { NamedField } from '../parameters/invalidParameter';

/** What the service takes files of; their media types begin with it. */
export type MediaKind = 'image' | 'video' | 'audio';

/** A file of the input item that the service is to fetch by a link. */
export class ItemFile {
	constructor(
		/** Stands for the file in a request that is remembered; links change with every try. */
		readonly reference: string,
		readonly kind: MediaKind,
		/** A new link on each call; it opens the file without a login until it expires. */
		readonly link: () => string,
	) {}
}

/**
 * Gives the file in a binary field of an input item, checked to be of one of the kinds and one that
 * can be handed on.
 * @throws InvalidParameter naming the field of the node and the binary field
 */
export type TakeFile = (field: NamedField, binaryField: unknown, kinds: MediaKind[]) => ItemFile;

/** What stands at a place of the request: a URL as given, or a file. */
export type Media = string | ItemFile;

/** Files stand in the lists of a request. */
export const hasFiles = (request: object): boolean =>
	Object.values(request)
		.flat()
		.some((value) => value instanceof ItemFile);

/** The request with every file written as `write` says, and without what is `undefined`. */
export const withFiles = (
	request: Record<string, unknown>,
	write: (file: ItemFile) => string,
): Record<string, unknown> => {
	const written = (value: unknown): unknown => (value instanceof ItemFile ? write(value) : value);
	return Object.fromEntries(
		Object.entries(request)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [name, Array.isArray(value) ? value.map(written) : value]),
	);
};
