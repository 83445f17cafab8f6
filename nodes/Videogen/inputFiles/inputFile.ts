import type { NamedField } from '../parameters/invalidParameter';

/** The kinds of files that the service accepts, each as its media types begin. */
export type MediaKind = 'image' | 'video' | 'audio';

/** A file of the input item that the service is to fetch by a link. */
export class ItemFile {
	constructor(
		/** Names the file in a request that is saved, because links change with every try. */
		readonly reference: string,
		readonly kind: MediaKind,
		/** Makes a new link, which opens the file without a login until it expires. */
		readonly link: () => string,
		/** Of its bytes; `undefined` when they are too many, or cannot be read. */
		readonly contentHash: () => Promise<string | undefined>,
	) {}
}

/**
 * The file that a field of the node names, of one of the kinds, and one for which there are links.
 * @param given The name of a binary field of the item, or the file itself.
 * @throws InvalidParameter naming both fields
 */
export type ResolveFile = (field: NamedField, given: unknown, kinds: MediaKind[]) => ItemFile;

/** An entry in a list of the request: a URL as given, or a file. */
export type Media = string | ItemFile;

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
