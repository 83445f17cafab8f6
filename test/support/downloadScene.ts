/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { IBinaryData } from 'n8n-workflow';
import type { FileAccess, FileAnswer } from '../../nodes/Videogen/files/fetch';
import type { ByteStream } from '../../nodes/Videogen/shared/n8n';
import { finishAll } from '../../nodes/Videogen/work/finish';
import type { Outcome, ReadPlan } from '../../nodes/Videogen/work/session';
import { turnOfEventLoop, VirtualClock } from '../../tools/virtualClock';
import { record, WorkScene } from './work';

/** The moment in real time at which the virtual clock begins, for dates in headers. */
export const START_MS = Date.parse('2026-01-01T00:00:00Z');

const FOX = ['https://e.com/fox.mp4'];

/** As many results. */
export const urls = (count: number): string[] =>
	Array.from({ length: count }, (_, at) => `https://e.com/${at}`);

/** A body of these pieces that ends by itself. */
export const bodyOf = (...pieces: string[]): Readable =>
	Readable.from(pieces.map((piece) => Buffer.from(piece)));

/** A body that goes on for as long as the test does not end it with `push(null)`. */
export const openBody = (): Readable => new Readable({ read: () => undefined });

/** A video; `declaredBytes` is what its `Content-Length` says. */
export const answerWith = (
	body: ByteStream,
	{ declaredBytes, ...more }: Partial<FileAnswer> & { declaredBytes?: number } = {},
): FileAnswer => ({
	statusCode: 200,
	body,
	...more,
	headers: {
		...(more.headers ?? { 'content-type': 'video/mp4' }),
		...(declaredBytes !== undefined && { 'content-length': String(declaredBytes) }),
	},
});

export const statusAnswer = (statusCode: number, headers: FileAnswer['headers'] = {}): FileAnswer =>
	answerWith(bodyOf('no'), { statusCode, headers });

/** An error as Node's network or file system throws it. */
export const codedError = (code: string): Error => Object.assign(new Error(code), { code });

/** As n8n's filesystem mode does it: not at once, and piece by piece. */
export const storePiecewise: FileAccess['store'] = async (body, fileName, mimeType) => {
	await turnOfEventLoop();
	return { data: (await buffer(body)).toString('latin1'), fileName, mimeType };
};

/** A storage that fails as soon as something comes; like n8n's, it ends the body and tidies up. */
export const storeThatFails =
	(error: unknown): FileAccess['store'] =>
	async (body) => {
		try {
			for await (const piece of body) if (piece) throw error;
			throw error;
		} finally {
			for (let turn = 0; turn < 3; turn += 1) await turnOfEventLoop();
		}
	};

/** Streams need some turns of the event loop until they have come to rest. */
const TURNS_TO_REST = 20;

export class StreamClock extends VirtualClock {
	override date = (): number => START_MS + this.now();

	override async rest(): Promise<void> {
		for (let turn = 0; turn < TURNS_TO_REST; turn += 1) await turnOfEventLoop();
	}
}

interface SceneParts {
	/** What the host answers; `tries` counts from 1 for each address. */
	answer?: (url: string, tries: number) => FileAnswer | Promise<FileAnswer>;
	store?: FileAccess['store'];
	isOnDisk?: boolean;
}

/** A run that downloads what a task has, with a host and a storage of its own, in virtual time. */
export class DownloadScene {
	readonly clock = new StreamClock();

	readonly asks: Array<{ url: string; atMs: number }> = [];

	/** Of every answer, in their order. */
	readonly bodies: ByteStream[] = [];

	private readonly scene: WorkScene;

	constructor({ answer, store = storePiecewise, isOnDisk = true }: SceneParts = {}) {
		const files: FileAccess = {
			fetch: async (url) => {
				this.asks.push({ url, atMs: this.clock.now() });
				const tries = this.asks.filter((ask) => ask.url === url).length;
				const resolved = await (answer?.(url, tries) ?? answerWith(bodyOf(`bytes of ${url}`)));
				this.bodies.push(resolved.body);
				return resolved;
			},
			store,
			isOnDisk: async () => await Promise.resolve(isOnDisk),
		};
		this.scene = new WorkScene({ clock: this.clock, files });
	}

	/** What all reads of the account wait for. */
	get reads() {
		return this.scene.session.gates.reads;
	}

	/** Ends the run that the downloads belong to. */
	stop(): void {
		this.scene.stop.abort();
	}

	/** What comes of an item that asks for a completed task with these results. */
	async download(results: unknown = FOX, timeoutMs?: number): Promise<Outcome> {
		const answer = record('completed', JSON.parse(JSON.stringify({ results })));
		const { service } = this.scene;
		const read = async () => await Promise.resolve(answer);
		const session = { ...this.scene.session, service: { create: service.create, read } };
		const plan: ReadPlan = {
			do: 'read',
			index: 0,
			taskId: 'task_1',
			wait: timeoutMs === undefined ? undefined : { intervalMs: 5_000, timeoutMs },
			downloadTo: 'data',
			simplify: true,
		};
		const { results: finished } = await finishAll(session, [plan], 0);
		return finished[0]?.outcome ?? {};
	}

	/** Why a download did not come to files, in the words of its message. */
	async why(results: unknown = FOX, timeoutMs?: number): Promise<string> {
		return whyOf(await this.download(results, timeoutMs));
	}

	/** The times between one try and the next. */
	get pausesMs(): number[] {
		return this.asks.slice(1).map(({ atMs }, index) => atMs - (this.asks[index]?.atMs ?? 0));
	}
}

export function filesOf({ files, failure }: Outcome): readonly IBinaryData[] {
	if (files && !failure) return files;
	throw new Error(`It was not downloaded: ${JSON.stringify(failure)}`);
}

export function whyOf({ failure }: Outcome): string {
	if (!failure) throw new Error('It was downloaded');
	return failure.message.replace(/^.*could not be saved: /, '');
}
