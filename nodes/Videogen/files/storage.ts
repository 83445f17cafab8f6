import { createHash } from 'node:crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { unlessStopped } from '../shared/clock';
import { closedBy, lastingIdOf } from '../shared/n8n';
import { whyUnreachable } from '../shared/url';
import { LINK_LIFETIME_HOURS } from '../service/secrets';
import { isMedia, plainType, SIGNATURE_BYTES, typeOfBytes } from './types';

type Helpers = Pick<
	IExecuteFunctions['helpers'],
	'createBinarySignedUrl' | 'getBinaryStream' | 'binaryToBuffer' | 'prepareBinaryData'
>;
type Used = 'continueOnFail' | 'getContext' | 'getInputData' | 'getNode';

/** What input files need from n8n. */
export type FileContext = Pick<IExecuteFunctions, Used> & { helpers: Helpers };

/** What reading a file once reveals. */
interface Content {
	/** SHA-256 of the bytes, as base64url. */
	hash: string;
	bytes: number;
	/** Detected from the first bytes. */
	mediaType: string | undefined;
}

/** What is done only once for each file of an execution. */
class KnownFiles {
	readonly contents = new Map<unknown, Promise<Content>>();

	readonly copies = new Map<unknown, Promise<IBinaryData>>();
}

/** Keyed by n8n's context of the node, which all its runs and tries in an execution share. */
const knownOf = new WeakMap<object, KnownFiles>();

/**
 * n8n deletes such a file when the execution ends or starts to wait, and links to it stop working.
 */
const TEMPORARY = '/executions/temp/';

/**
 * The input files of a node in n8n's storage. A file without an ID is in n8n's memory. Methods
 * throw whatever n8n throws, for example if a file is gone.
 */
export class InputStorage {
	private readonly known: KnownFiles;

	constructor(
		private readonly context: FileContext,
		/** Stops reading and copying at once. */
		private readonly end: AbortSignal,
	) {
		const ofNode = context.getContext('node');
		this.known = knownOf.get(ofNode) ?? new KnownFiles();
		knownOf.set(ofNode, this.known);
	}

	/**
	 * The media type of a file: n8n's own if it is specific, otherwise detected from the first bytes.
	 */
	async typeOf(file: IBinaryData): Promise<string> {
		const said = plainType(file.mimeType);
		return isMedia(said) ? said : ((await this.contentOf(file)).mediaType ?? said);
	}

	async contentOf(file: IBinaryData): Promise<Content> {
		return await this.once(this.known.contents, file, async () => await this.read(file));
	}

	/** Completes a sentence. `undefined` if the service can open a link to the file. */
	whyNoLink(file: IBinaryData, serviceUrl: string): string | undefined {
		return file.id ? whyUnreachable(this.link(file), serviceUrl) : 'n8n keeps files in its memory.';
	}

	/**
	 * A new link that lasts and serves the file with this media type. If necessary, it leads to a
	 * copy that belongs to this execution.
	 */
	async lastingLink(file: IBinaryData, mediaType: string): Promise<string> {
		const isTemporary = file.id?.includes(TEMPORARY);
		if (!isTemporary && plainType(file.mimeType) === mediaType) return this.link(file);
		const { prepareBinaryData } = this.context.helpers;
		const copy = async () =>
			await prepareBinaryData(await this.opened(file.id ?? ''), file.fileName, mediaType);
		return this.link(await this.once(this.known.copies, file, copy));
	}

	/** The whole file as a `data:` URI. */
	async dataUri({ id, data }: IBinaryData, mediaType: string): Promise<string> {
		const { binaryToBuffer } = this.context.helpers;
		const read = async () => id && (await binaryToBuffer(await this.opened(id)));
		// A storage that stalls, and n8n 2.0 in any case, never ends with a stream that was closed.
		const bytes = await unlessStopped(this.end, read);
		return `data:${mediaType};base64,${bytes ? bytes.toString('base64') : data}`;
	}

	private link(file: IBinaryData): string {
		return this.context.helpers.createBinarySignedUrl(file, `${LINK_LIFETIME_HOURS}h`);
	}

	/** Learns something about a file only once. A failed try is forgotten. */
	private async once<Value>(
		known: Map<unknown, Promise<Value>>,
		file: IBinaryData,
		learn: () => Promise<Value>,
	): Promise<Value> {
		// The end of an ID identifies a file wherever n8n moves it.
		const key = file.id ? lastingIdOf(file.id) : file;
		const value = known.get(key) ?? unlessStopped(this.end, learn);
		known.set(key, value);
		return await value.catch((thrown: unknown) => {
			known.delete(key);
			throw thrown;
		});
	}

	private async read({ id, data }: IBinaryData): Promise<Content> {
		const hash = createHash('sha256');
		const body = id ? await this.opened(id) : [Buffer.from(data, 'base64')];
		let bytes = 0;
		let first: Uint8Array | undefined;
		for await (const chunk of body) {
			if (!(chunk instanceof Uint8Array)) throw new Error('n8n gives no bytes');
			first ??= chunk.slice(0, SIGNATURE_BYTES);
			bytes += chunk.length;
			hash.update(chunk);
		}
		return { hash: hash.digest('base64url'), bytes, mediaType: first && typeOfBytes(first) };
	}

	/** Closes the stream at the end of the run, even if that comes first. It would stay open. */
	private async opened(id: string) {
		return closedBy(this.end, await this.context.helpers.getBinaryStream(id));
	}
}
