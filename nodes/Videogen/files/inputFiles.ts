import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	type NamedField,
	ABOUT_FILES_FOR_TOOL,
	GIVE_FILE,
	FILE_IS_GONE,
	ONLY_IMAGES_INLINE,
	PASS_ALONG,
	SET_PUBLIC_URL,
	STORE_FILES,
	emptyField,
	InvalidParameter,
	isEmpty,
	shown,
} from '../ground/words';
import { findInErrors, isFileMissing } from '../ground/errors';
import { hashOf, isJsonObject } from '../ground/json';
import { isTool } from '../ground/n8n';
import { lastingIdOf } from '../ground/storage';
import { asPlainText } from '../ground/text';
import { InputStorage, type StorageContext } from './inputStorage';
import { PRACTICE_URL } from '../service/practice';
import { whyUnreachable } from '../ground/url';

/** The kinds of files that the service accepts, each as its media types begin. */
export type MediaKind = 'image' | 'video' | 'audio';

/** A file of the input item, as the request of the item has it. */
export class ItemFile {
	constructor(
		private readonly storage: InputStorage,
		private readonly file: IBinaryData,
		private readonly mediaType: string,
		/** The field that names it, and how messages call it. */
		readonly asked: { field: NamedField; what: string },
		/** Names the file in a request that is saved: links change with every try. */
		readonly reference: string,
		/** How it is sent: by a link, as the image itself, or not at all in practice. */
		readonly sentAs: 'link' | 'inline' | 'reference',
		/** How many bytes of it go inline. */
		readonly inlineBytes = 0,
	) {}

	isOf(kind: MediaKind): boolean {
		return isOfKind(this.mediaType, kind);
	}

	/**
	 * What the service gets in its place: a new link, or the image itself.
	 * @throws InvalidParameter when the file is not there any more
	 */
	async url(): Promise<string> {
		const { storage, file, mediaType, sentAs } = this;
		if (sentAs === 'reference') return this.reference;
		return await unlessGone(this.asked, async () =>
			sentAs === 'link'
				? await storage.lastingLink(file, mediaType)
				: await storage.dataUri(file, mediaType),
		);
	}

	/** Of its bytes; `undefined` when they are too many or cannot be read, or at the abort. */
	async contentHash(signal?: AbortSignal): Promise<string | undefined> {
		return await this.storage.contentHash(this.file, signal);
	}
}

const isOfKind = (mediaType: string, kind: MediaKind): boolean => mediaType.startsWith(`${kind}/`);

/**
 * The file that a field of the node names, of one of the kinds.
 * @param given The name of a binary field of the item, or the file itself.
 * @param orOnlyOne Whether the only file of these kinds will do where none has that name.
 * @throws InvalidParameter naming both fields
 */
export type ResolveFile = (
	field: NamedField,
	given: unknown,
	kinds: MediaKind[],
	orOnlyOne?: boolean,
) => Promise<ItemFile>;

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

/** The most bytes of an image, and of all of a request, that go inline (docs/files-and-output.md). */
const MAX_INLINE_BYTES = 10_000_000;
const MAX_INLINE_BYTES_OF_REQUEST = 20_000_000;

/** @throws InvalidParameter when the images of a request that go inline are too large together */
export function refuseTooMuchInline(files: ItemFile[]): void {
	const bytes = files.reduce((sum, { inlineBytes }) => sum + inlineBytes, 0);
	if (bytes <= MAX_INLINE_BYTES_OF_REQUEST) return;
	const labels = [...new Set(files.map(({ asked }) => asked.field.displayName))];
	throw new InvalidParameter(
		{ displayName: labels.join(' and ') },
		`: the images have ${inMb(bytes)} in total; without links to them, at most ${inMb(MAX_INLINE_BYTES_OF_REQUEST)} can be sent.`,
		`Use smaller images. ${SET_PUBLIC_URL}`,
	);
}

const inMb = (bytes: number): string => `${Math.ceil(bytes / 100_000) / 10} MB`;

interface FileContext extends StorageContext {
	getInputData(): INodeExecutionData[];
	getNode: IExecuteFunctions['getNode'];
	continueOnFail(): boolean;
}

/** The files of all input items of a run. */
export interface FileResolver {
	forItem(index: number): ResolveFile;
}

/**
 * Files of input items: the service gets n8n's own signed links, or, where there are none that it can
 * open, images themselves.
 * @param serviceUrl Absent for practice, where nobody fetches them.
 */
export function fileResolver(context: FileContext, serviceUrl: string | undefined): FileResolver {
	const storage = new InputStorage(context);
	return {
		forItem: (index) => async (field, given, kinds, orOnlyOne) => {
			const item: INodeExecutionData = context.getInputData()[index] ?? { json: {} };
			const file = fileOf(item, given) ?? (orOnlyOne && (await onlyFileOf(storage, item, kinds)));
			if (!file) throw noFile(field, given, item, isTool(context));
			const name = file.fileName === undefined ? '' : ` (${asPlainText(file.fileName)})`;
			const what = `${isJsonObject(given) ? 'the given file' : `the file ${shown(given)}`}${name}`;
			const asked = { field, what };
			const mediaType = await unlessGone(asked, async () => await storage.typeOf(file));
			if (!kinds.some((kind) => isOfKind(mediaType, kind))) {
				const otherType = `: ${what} is of type ${mediaType || 'unknown'}, not ${kinds.join(' or ')}.`;
				throw new InvalidParameter(field, otherType, 'Use a file of that type.');
			}
			if (serviceUrl === undefined) {
				const reference = `${PRACTICE_URL}/file/${hashOf(file.id ?? file.data)}`;
				return new ItemFile(storage, file, mediaType, asked, reference, 'reference');
			}
			return await sentFile(storage, file, mediaType, asked, serviceUrl);
		},
	};
}

/** @throws InvalidParameter for what can go neither by a link nor inline */
async function sentFile(
	storage: InputStorage,
	file: IBinaryData,
	mediaType: string,
	asked: ItemFile['asked'],
	serviceUrl: string,
): Promise<ItemFile> {
	const { id } = file;
	const content = id ? lastingIdOf(id) : await storage.contentHash(file);
	const parts = [storage, file, mediaType, asked, `n8n-file:${content}`] as const;
	const whyNoLink = id
		? whyUnreachable(storage.link(file), serviceUrl)
		: 'n8n keeps files in its memory.';
	if (whyNoLink === undefined) return new ItemFile(...parts, 'link');
	const isImage = isOfKind(mediaType, 'image');
	const bytes = isImage ? await unlessGone(asked, async () => await storage.bytesOf(file)) : 0;
	if (isImage && bytes <= MAX_INLINE_BYTES) return new ItemFile(...parts, 'inline', bytes);
	throw new InvalidParameter(
		asked.field,
		`: the service cannot fetch ${asked.what}${isImage ? `, ${inMb(bytes)}` : ''}, because ${whyNoLink}`,
		`${ONLY_IMAGES_INLINE} ${id ? SET_PUBLIC_URL : STORE_FILES}`,
	);
}

/** n8n may have moved or deleted a file since it came in. */
async function unlessGone<Value>(
	{ field, what }: ItemFile['asked'],
	use: () => Promise<Value>,
): Promise<Value> {
	return await use().catch((thrown: unknown) => {
		if (!findInErrors(thrown, isFileMissing)) throw thrown;
		throw new InvalidParameter(field, `: ${what} is no longer in n8n's storage.`, FILE_IS_GONE);
	});
}

function noFile(
	field: NamedField,
	given: unknown,
	{ binary = {} }: INodeExecutionData,
	forTool: boolean,
): InvalidParameter {
	const found = Object.keys(binary).map((name) => `"${name}"`);
	const which = found.length > 1 ? 'one of them' : 'that';
	const advice =
		found.length > 0
			? `Found: ${found.join(', ')}. Write ${which} into '${field.displayName}'.`
			: forTool
				? ABOUT_FILES_FOR_TOOL
				: GIVE_FILE;
	if (isEmpty(given)) return emptyField(field, advice);
	return isJsonObject(given)
		? new InvalidParameter(field, `: ${shown(given)} is not a file of the item.`, PASS_ALONG)
		: new InvalidParameter(field, `: no file named ${shown(given)} came in.`, advice);
}

/**
 * A file of the item itself. What a stranger wrote, such as the JSON of a form, can look like a file,
 * with the id of one of somebody else.
 */
function fileOf({ binary = {} }: INodeExecutionData, given: unknown): IBinaryData | undefined {
	if (typeof given === 'string') {
		const name = given.trim();
		return Object.hasOwn(binary, name) ? binary[name] : undefined;
	}
	if (!isJsonObject(given)) return undefined;
	const same = Object.values(binary).filter((file) => isSame(file, given));
	// In memory, others may differ from it in nothing that is given.
	const isSure = same.length === 1 || same[0]?.id !== undefined || given.data !== undefined;
	return isSure ? same[0] : undefined;
}

/** n8n's expressions give all of a file but its data; in memory, a file has no id. */
const isSame = ({ id, data, ...others }: IBinaryData, given: IDataObject): boolean =>
	id
		? given.id === id
		: (given.data === undefined || given.data === data) &&
			Object.entries(others).every(([name, value]) => given[name] === value);

async function onlyFileOf(
	storage: InputStorage,
	{ binary = {} }: INodeExecutionData,
	kinds: MediaKind[],
): Promise<IBinaryData | undefined> {
	const fitting: IBinaryData[] = [];
	for (const file of Object.values(binary)) {
		const mediaType = await storage.typeOf(file);
		if (kinds.some((kind) => isOfKind(mediaType, kind))) fitting.push(file);
	}
	return fitting.length === 1 ? fitting[0] : undefined;
}
