import type { IBinaryData } from 'n8n-workflow';
import {
	ABOUT_FILES_FOR_TOOL,
	FILE_IS_GONE,
	GIVE_FILE,
	InvalidParameter,
	type NamedField,
	ONLY_IMAGES_INLINE,
	SET_PUBLIC_URL,
	shown,
	STORE_FILES,
} from '../shared/messages';
import { errorsIn, isFileMissing, isTool } from '../shared/n8n';
import type { GenerationRequest } from '../service/contract/request';
import { type FileContext, InputStorage } from './storage';

/** The kinds of files that the service accepts, as the first part of a media type. */
export type MediaKind = 'image' | 'video' | 'audio';

/** A file of the input item, as its request refers to it. */
export class ItemFile {
	constructor(
		/** Identifies the file in a saved request by its content: links change with every try. */
		readonly reference: string,
		private readonly mediaType: string,
		/**
		 * What the service gets in its place: a new link, or the image itself.
		 * @throws InvalidParameter if the file is gone
		 */
		readonly url: () => Promise<string>,
		/** The field that names the file. */
		readonly field: NamedField,
		/** How many bytes of the file are sent inline. */
		readonly inlineBytes: number,
	) {}

	isOf(kind: MediaKind): boolean {
		return isOfKind(this.mediaType, kind);
	}
}

const isOfKind = (mediaType: string, kind: MediaKind): boolean => mediaType.startsWith(`${kind}/`);

/** An entry in one of the request's lists: a URL as given, or a file. */
export type Media = string | ItemFile;

/**
 * Finds the file that a field names, if it is of one of these kinds.
 * @param name The name of a binary field of the item.
 * @param orOnlyOne Whether to use the item's only file of these kinds if none has that name.
 * @throws InvalidParameter naming the field and the file
 */
export type ResolveFile = (
	field: NamedField,
	name: string,
	kinds: MediaKind[],
	orOnlyOne?: boolean,
) => Promise<ItemFile>;

/**
 * A request as it is saved, with references to its files and without `undefined` values, and the
 * files themselves.
 */
export function withReferences(wanted: Record<string, unknown>) {
	const files: ItemFile[] = [];
	const saved = (value: unknown): unknown => {
		if (!(value instanceof ItemFile)) return value;
		files.push(value);
		return value.reference;
	};
	const request: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(wanted)) {
		if (value !== undefined) request[name] = Array.isArray(value) ? value.map(saved) : value;
	}
	return { request, files };
}

/** How all file references start. No URL starts like this. */
const REFERENCE = 'n8n-file:';

/**
 * A saved request as it is sent, with new links to its files.
 * @throws InvalidParameter if one of its files is gone
 */
export async function withLinks(saved: GenerationRequest, files: readonly ItemFile[]) {
	const request = structuredClone(saved);
	for (const list of Object.values(request)) {
		if (!Array.isArray(list)) continue;
		for (const [index, entry] of list.entries()) {
			if (!String(entry).startsWith(REFERENCE)) continue;
			const file = files.find(({ reference }) => reference === entry);
			if (!file) throw new InvalidParameter({ displayName: 'File' }, NOT_SAME, SAME_FILES);
			list[index] = await file.url();
		}
	}
	return request;
}

const NOT_SAME = ': a file of the request that is sent again did not come in.';
const SAME_FILES = 'Pass the same files to this node as before.';

/** The limit for all inline images of a request together. */
const MAX_INLINE_BYTES = 20_000_000;

/** @throws InvalidParameter if the inline images of a request are too large together */
export function refuseTooMuchInline(files: ItemFile[]): void {
	const bytes = files.reduce((sum, { inlineBytes }) => sum + inlineBytes, 0);
	if (bytes <= MAX_INLINE_BYTES) return;
	throw new InvalidParameter(
		files[0]?.field ?? { displayName: 'Files' },
		`: the images have ${Math.ceil(bytes / 1e6)} MB together; without links to them, at most 20 MB can be sent.`,
		'Use smaller images, or enter their public URLs instead.',
	);
}

/**
 * Resolves the files of a run's input items, by the index of the item. The service gets n8n's own
 * signed links or, where it could not open a link, the images themselves.
 * @param serviceUrl Absent for practice, where nobody opens the links.
 * @param end Stops reading files at once.
 */
export function fileResolver(
	context: FileContext,
	serviceUrl: string | undefined,
	end: AbortSignal,
): (index: number) => ResolveFile {
	const storage = new InputStorage(context, end);
	return (index) => async (field, name, kinds, orOnlyOne) => {
		const { binary = {} } = context.getInputData()[index] ?? {};
		const named = Object.hasOwn(binary, name) ? binary[name] : undefined;
		const others = orOnlyOne ? Object.values(binary) : [];
		const asked: FileRequest = { field, name, serviceUrl };
		return await unlessGone(asked, async () => {
			const fitting: IBinaryData[] = [];
			for (const file of named ? [named] : others) {
				const mediaType = await storage.typeOf(file);
				if (kinds.some((kind) => isOfKind(mediaType, kind))) fitting.push(file);
			}
			const [file] = fitting;
			if (file && fitting.length === 1) return await itemFileOf(storage, file, asked);
			throw named
				? refusal(asked, `is no ${kinds.join(' or ')}.`, 'Use a file of that type.')
				: noFile(asked, Object.keys(binary), isTool(context));
		});
	};
}

/** Which file a field asks for, and where the file goes. */
interface FileRequest {
	field: NamedField;
	name: string;
	serviceUrl: string | undefined;
}

/** @param what Completes a sentence that starts with the file. */
const refusal = ({ field, name }: FileRequest, what: string, advice: string): InvalidParameter =>
	new InvalidParameter(field, `: the file ${shown(name)} ${what}`, advice);

function noFile({ field, name }: FileRequest, found: string[], forTool: boolean): InvalidParameter {
	const missing = forTool ? ABOUT_FILES_FOR_TOOL : GIVE_FILE;
	const names = found.map(shown).join(', ');
	const advice = names ? `Use the name of a file that came in: ${names}.` : missing;
	return new InvalidParameter(field, `: no file named ${shown(name)} came in.`, advice);
}

/** @throws InvalidParameter if the file can be sent neither as a link nor inline */
async function itemFileOf(storage: InputStorage, file: IBinaryData, asked: FileRequest) {
	const { field, serviceUrl } = asked;
	const mediaType = await storage.typeOf(file);
	const whyNoLink = serviceUrl && storage.whyNoLink(file, serviceUrl);
	if (whyNoLink && !isOfKind(mediaType, 'image')) {
		const advice = `${ONLY_IMAGES_INLINE} ${file.id ? SET_PUBLIC_URL : STORE_FILES}`;
		throw refusal(asked, `cannot be opened by the provider, because ${whyNoLink}`, advice);
	}
	const { hash, bytes } = await storage.contentOf(file);
	const reference = `${REFERENCE}${hash}`;
	const send = async () =>
		whyNoLink ? await storage.dataUri(file, mediaType) : await storage.lastingLink(file, mediaType);
	const url = async () => (serviceUrl ? await unlessGone(asked, send) : reference);
	return new ItemFile(reference, mediaType, url, field, whyNoLink ? bytes : 0);
}

/** n8n may have moved or deleted a file since it arrived. */
const unlessGone = async <Value>(asked: FileRequest, use: () => Promise<Value>): Promise<Value> =>
	await use().catch((thrown: unknown) => {
		if (!errorsIn(thrown).some(isFileMissing)) throw thrown;
		throw refusal(asked, "is no longer in n8n's storage.", FILE_IS_GONE);
	});
