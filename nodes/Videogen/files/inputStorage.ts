import { createHash } from 'node:crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { lastingIdOf } from '../ground/storage';
import { LINK_LIFETIME_HOURS } from '../service/secrets';
import {
	isKnownMedia,
	plainType,
	SIGNATURE_BYTES,
	typeOfBody,
	typeOfBytes,
	typeOfInput,
} from './mediaType';

/** What this needs of n8n. */
export interface StorageContext {
	getContext: IExecuteFunctions['getContext'];
	helpers: Pick<
		IExecuteFunctions['helpers'],
		| 'createBinarySignedUrl'
		| 'getBinaryMetadata'
		| 'getBinaryStream'
		| 'binaryToBuffer'
		| 'prepareBinaryData'
	>;
}

/** What is done once for each file of an execution. */
class Known {
	readonly types = new Map<unknown, Promise<string>>();

	readonly hashes = new Map<unknown, Promise<string | undefined>>();

	readonly copies = new Map<unknown, Promise<IBinaryData>>();
}

/** By n8n's context of a node in an execution, which all its runs and tries share. */
const knownOf = new WeakMap<object, Known>();

/** What is known of a file, or what becomes known now; a try that failed is forgotten. */
async function once<Value>(
	known: Map<unknown, Promise<Value>>,
	key: unknown,
	learn: () => Promise<Value>,
): Promise<Value> {
	const value = known.get(key) ?? learn();
	known.set(key, value);
	return await value.catch((thrown: unknown) => {
		known.delete(key);
		throw thrown;
	});
}

/** n8n keeps such a file only until the execution ends or rests; then links to it are dead. */
const TEMPORARY = '/executions/temp/';

/** Reading more would take longer than is worth it. */
const MAX_HASHED_BYTES = 30_000_000;

/**
 * The input files of a node in n8n's storage. One without an id is in n8n's memory.
 * All of it throws what n8n throws, also when a file is not there any more.
 */
export class InputStorage {
	private readonly known: Known;

	constructor(private readonly context: StorageContext) {
		const ofNode = context.getContext('node');
		this.known = knownOf.get(ofNode) ?? new Known();
		knownOf.set(ofNode, this.known);
	}

	/** The media type of a file: n8n's own where that is known, else by its first bytes or its name. */
	async typeOf(file: IBinaryData): Promise<string> {
		const said = plainType(file.mimeType);
		if (isKnownMedia(said)) return said;
		return await once(this.known.types, keyOf(file), async () =>
			typeOfInput(said, await this.typeOfFirstBytes(file), file.fileName),
		);
	}

	async bytesOf({ id, data }: IBinaryData): Promise<number> {
		if (!id) return Buffer.byteLength(data, 'base64');
		return (await this.context.helpers.getBinaryMetadata(id)).fileSize;
	}

	/**
	 * A hash of the bytes of a file; `undefined` when they are too many or cannot be read, or when
	 * the signal has aborted.
	 */
	async contentHash(file: IBinaryData, signal?: AbortSignal): Promise<string | undefined> {
		return await once(this.known.hashes, keyOf(file), async () => await this.hash(file, signal));
	}

	/** A new link, which opens the file without a login until it expires; for one that n8n can link. */
	link(file: IBinaryData): string {
		return this.context.helpers.createBinarySignedUrl(file, `${LINK_LIFETIME_HOURS}h`);
	}

	/**
	 * A new link that lasts, and under which the file has its type: to a copy that belongs to this
	 * execution, if need be.
	 */
	async lastingLink(file: IBinaryData, mediaType: string): Promise<string> {
		const isTemporary = file.id?.includes(TEMPORARY);
		if (!isTemporary && plainType(file.mimeType) === mediaType) return this.link(file);
		const copy = async () => await this.copy(file, mediaType);
		return this.link(await once(this.known.copies, keyOf(file), copy));
	}

	/** The whole file as a `data:` URI. */
	async dataUri({ id, data }: IBinaryData, mediaType: string): Promise<string> {
		const { binaryToBuffer, getBinaryStream } = this.context.helpers;
		const bytes = id && (await binaryToBuffer(await getBinaryStream(id)));
		return `data:${mediaType};base64,${bytes ? bytes.toString('base64') : data}`;
	}

	private async copy({ id = '', fileName }: IBinaryData, mediaType: string): Promise<IBinaryData> {
		const { getBinaryStream, prepareBinaryData } = this.context.helpers;
		return await prepareBinaryData(await getBinaryStream(id), fileName, mediaType);
	}

	private async typeOfFirstBytes({ id, data }: IBinaryData): Promise<string | undefined> {
		if (!id) return typeOfBytes(Buffer.from(data.slice(0, 2 * SIGNATURE_BYTES), 'base64'));
		const body = await this.context.helpers.getBinaryStream(id);
		// Closing it early is no error here.
		return await typeOfBody(body.on('error', () => undefined)).finally(() => body.destroy());
	}

	private async hash({ id, data }: IBinaryData, signal?: AbortSignal): Promise<string | undefined> {
		const hash = createHash('sha256');
		if (!id) return hash.update(data, 'base64').digest('base64url');
		let bytes = 0;
		try {
			for await (const chunk of await this.context.helpers.getBinaryStream(id)) {
				if (signal?.aborted || !(chunk instanceof Uint8Array)) return undefined;
				bytes += chunk.length;
				if (bytes > MAX_HASHED_BYTES) return undefined;
				hash.update(chunk);
			}
		} catch {
			return undefined;
		}
		return hash.digest('base64url');
	}
}

/** Names a file wherever n8n moves it. */
const keyOf = (file: IBinaryData): unknown => (file.id ? lastingIdOf(file.id) : file);
