import { createHash } from 'node:crypto';
import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	type NamedField,
	GIVE_FILE,
	PASS_ALONG,
	SET_PUBLIC_URL,
	STORE_THIS_FILE,
	emptyField,
	InvalidParameter,
	isEmpty,
	shown,
} from '../ground/words';
import { hashOf, isJsonObject } from '../ground/json';
import { lastingIdOf } from '../ground/storage';
import { plainType } from './mediaType';
import { PRACTICE_URL } from '../service/practice';
import { LINK_LIFETIME_HOURS } from '../service/secrets';
import { whyUnreachable } from '../ground/url';

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
		readonly contentHash: (end: AbortSignal) => Promise<string | undefined>,
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

/** What this needs of n8n. */
interface FileContext {
	getInputData(): INodeExecutionData[];
	helpers: Pick<IExecuteFunctions['helpers'], 'createBinarySignedUrl' | 'getBinaryStream'>;
}

/**
 * Files of an input item, for which the service gets n8n's own signed links.
 * @param serviceUrl Absent for practice, where nobody fetches them.
 */
export const fileResolver =
	(context: FileContext, itemIndex: number, serviceUrl: string | undefined): ResolveFile =>
	(field, given, kinds) => {
		const invalid = (whatIsWrong: string, advice: string) =>
			new InvalidParameter(field, `: ${whatIsWrong}`, advice);
		const item: INodeExecutionData = context.getInputData()[itemIndex] ?? { json: {} };
		const found = Object.keys(item.binary ?? {}).map((name) => `"${name}"`);
		const nameAdvice =
			found.length === 0
				? GIVE_FILE
				: `Found: ${found.join(', ')}. Write ${found.length > 1 ? 'one of them' : 'that'} into '${field.displayName}'.`;
		if (isEmpty(given)) throw emptyField(field, nameAdvice);
		const file = fileOf(item, given);
		if (!file && isJsonObject(given))
			throw invalid(`${shown(given)} is no file of the item.`, PASS_ALONG);
		if (!file) throw invalid(`no file named ${shown(given)} came in.`, nameAdvice);
		const what = isJsonObject(given) ? 'the given file' : `the file ${shown(given)}`;
		const mediaType = plainType(file.mimeType);
		const kind = kinds.find((one) => mediaType.startsWith(`${one}/`));
		if (kind === undefined) {
			const otherType = `${what} is of type ${mediaType || 'unknown'}, not ${kinds.join(' or ')}.`;
			throw invalid(otherType, 'Use a file of that type.');
		}
		const content = async () => await contentHash(context, file);
		if (serviceUrl === undefined) {
			const reference = `${PRACTICE_URL}/file/${hashOf(file.id ?? file.data)}`;
			return new ItemFile(reference, kind, () => reference, content);
		}
		if (!file.id) {
			const inMemory = `${what} is kept in the memory of n8n, so no link to it can be made.`;
			throw invalid(inMemory, STORE_THIS_FILE);
		}
		const link = () => context.helpers.createBinarySignedUrl(file, `${LINK_LIFETIME_HOURS}h`);
		const unreachable = whyUnreachable(link(), serviceUrl);
		if (unreachable !== undefined) {
			const noFetch = `the service could not fetch the file, because ${unreachable}`;
			throw invalid(noFetch, `${SET_PUBLIC_URL} Or give a URL instead of a file.`);
		}
		return new ItemFile(`n8n-file:${lastingIdOf(file.id)}`, kind, link, content);
	};

/** Reading more would take longer than is worth it. */
const MAX_HASHED_BYTES = 30_000_000;

async function contentHash(
	{ helpers }: FileContext,
	{ id, data }: IBinaryData,
): Promise<string | undefined> {
	const hash = createHash('sha256');
	if (!id) return hash.update(data, 'base64').digest('base64url');
	let bytes = 0;
	try {
		for await (const chunk of await helpers.getBinaryStream(id)) {
			if (!(chunk instanceof Uint8Array)) return undefined;
			bytes += chunk.length;
			if (bytes > MAX_HASHED_BYTES) return undefined;
			hash.update(chunk);
		}
	} catch {
		return undefined;
	}
	return hash.digest('base64url');
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
	return isJsonObject(given) ? Object.values(binary).find(({ id }) => id === given.id) : undefined;
}
