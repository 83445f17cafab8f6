/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { Readable } from 'node:stream';
import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import { fileResolver, type ResolveFile } from '../../nodes/Videogen/files/inputs';
import { InvalidParameter } from '../../nodes/Videogen/shared/messages';
import { samplePng } from '../../tools/simulator/sampleFiles';
import { NODE } from './node';

/** A file as n8n's filesystem mode keeps it with its execution. */
export const fileOf = (mimeType: string, more: Partial<IBinaryData> = {}): IBinaryData => ({
	data: 'filesystem-v2',
	mimeType,
	id: `filesystem-v2:workflows/1/executions/7/binary_data/${mimeType.replace('/', '-')}`,
	...more,
});

/** One as n8n's memory keeps it. */
export const fileInMemory = (mimeType: string, bytes: Buffer): IBinaryData => ({
	data: bytes.toString('base64'),
	mimeType,
	fileSize: `${bytes.length} B`,
});

export interface StoreSettings {
	/** From which links are made. */
	n8nUrl?: string;
	/** Absent for practice. */
	serviceUrl?: string | undefined;
	/** What files have in them, by their id; a small image unless given. */
	contents?: Record<string, Buffer>;
	/** IDs of files that are not there any more. */
	gone?: string[];
	isTool?: boolean;
	/** Stops the run. */
	end?: AbortSignal;
	/** Opens a file in place of the storage. */
	open?: (id: string) => Readable | Promise<Readable>;
}

/** n8n's storage as a node sees it, in one execution. */
export class ItemFilesScene {
	/** IDs of the files that were read, each time. */
	readonly reads: string[] = [];

	/** What was stored again: name, type and bytes. */
	readonly copies: Array<[name: string | undefined, mimeType: string | undefined, Buffer]> = [];

	private links = 0;

	private readonly ofNode = {};

	constructor(private readonly settings: StoreSettings = {}) {}

	/** The second of two input items, with these files, in another run or try of the node. */
	files(binary: IBinaryKeyData | undefined): ResolveFile {
		const { serviceUrl = 'https://api.example.com' } = this.settings;
		const isPractice = 'serviceUrl' in this.settings && this.settings.serviceUrl === undefined;
		const { end: signal = new AbortController().signal } = this.settings;
		const context = this.context(binary);
		return fileResolver(context, isPractice ? undefined : serviceUrl, signal)(1);
	}

	/** What n8n says to the node. */
	context(binary: IBinaryKeyData | undefined) {
		const items = [
			{ json: {}, binary: { ofFirst: fileOf('image/png') } },
			{ json: {}, binary },
		];
		const type = `videogen${this.settings.isTool ? 'Tool' : ''}`;
		return {
			getInputData: () => items,
			getContext: () => this.ofNode,
			getNode: () => ({ ...NODE, type }),
			continueOnFail: () => false,
			helpers: this.helpers(),
		};
	}

	private helpers() {
		const { n8nUrl = 'https://n8n.example.com' } = this.settings;
		return {
			getBinaryStream: async (id: string) => {
				this.reads.push(id);
				if (this.settings.open) return await this.settings.open(id);
				return await Promise.resolve(Readable.from([this.bytesOf(id)], { objectMode: false }));
			},
			binaryToBuffer: async (body: Buffer | Readable) =>
				Buffer.concat(Buffer.isBuffer(body) ? [body] : await body.toArray()),
			createBinarySignedUrl: ({ id }: IBinaryData, expiresIn?: string) => {
				this.links += 1;
				return `${n8nUrl}/rest/binary-data/signed?token=${id}.${String(expiresIn)}.${this.links}`;
			},
			prepareBinaryData: async (body: Buffer | Readable, name?: string, mimeType?: string) => {
				const bytes = Buffer.concat(Buffer.isBuffer(body) ? [body] : await body.toArray());
				this.copies.push([name, mimeType, bytes]);
				return fileOf(mimeType ?? '', {
					id: `filesystem-v2:workflows/1/executions/7/binary_data/copy-${this.copies.length}`,
				});
			},
		};
	}

	private bytesOf(id: string): Buffer {
		if (this.settings.gone?.includes(id)) throw new FileNotFoundError(id);
		return this.settings.contents?.[id] ?? samplePng();
	}
}

/** n8n's own, by its name. */
class FileNotFoundError extends Error {}

/** The files of an item in an ordinary n8n. */
export const itemFilesWith = (
	binary: IBinaryKeyData | undefined,
	settings: StoreSettings = {},
): ResolveFile => new ItemFilesScene(settings).files(binary);

/** What is wrong with values that must be refused. */
export function invalidOf(use: () => unknown): InvalidParameter {
	try {
		use();
	} catch (thrown) {
		if (thrown instanceof InvalidParameter) return thrown;
		throw thrown;
	}
	throw new Error('It was accepted');
}

/** The same for what takes time. */
export async function refusalOfPlan(plan: Promise<unknown>): Promise<InvalidParameter> {
	const [settled] = await Promise.allSettled([plan]);
	return invalidOf(() => {
		if (settled.status === 'rejected') throw settled.reason;
	});
}
