import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Fault } from './faults';
import type { Reply } from './replies';
import type { RecordedRequest, RequestLog } from './requests';

/** How the end of the body is told: by its length beforehand, or by a last chunk. */
export type Framing = 'length' | 'chunked';

/** One request and its answer: the only way to answer, so that the log always knows the status. */
export class Exchange {
	constructor(
		readonly recorded: RecordedRequest,
		readonly response: ServerResponse,
		/** Aborted when the simulator is closed or reset. */
		readonly signal: AbortSignal,
		private readonly log: RequestLog,
	) {
		response.on('close', () => log.ended(recorded));
		log.add(recorded);
	}

	/** Written down before the fault is played: a fault that hangs is seen only by this. */
	markFault(kind: Fault['kind']): void {
		this.recorded.fault = kind;
		this.log.changed(this.recorded);
	}

	/** Writes status and headers only; the caller sends the body. */
	sendHead(reply: Reply, framing: Framing = 'length'): void {
		const frame: Record<string, string> =
			framing === 'chunked'
				? { 'transfer-encoding': 'chunked' }
				: { 'content-length': String(reply.length) };
		this.response.writeHead(reply.status, { ...reply.headers, ...frame });
		this.log.answered(this.recorded, reply.status);
	}

	/**
	 * Sends the first half of the body, if any. It is flushed when this resolves, so that what comes
	 * next happens to a client that has seen it.
	 */
	async sendHalf(reply: Reply): Promise<void> {
		let left = this.recorded.method === 'HEAD' ? 0 : Math.floor(reply.length / 2);
		if (left === 0) return this.response.flushHeaders();
		for (const chunk of reply.chunks()) {
			const part = chunk.subarray(0, left);
			await new Promise<void>((resolve) => this.response.write(part, () => resolve()));
			left -= part.length;
			if (left <= 0 || this.response.destroyed) break;
		}
	}

	/** Sends the whole reply, to HEAD without its body. Rejects when the client hangs up. */
	async send(reply: Reply, framing?: Framing): Promise<void> {
		this.sendHead(reply, framing);
		if (this.recorded.method === 'HEAD') this.response.end();
		else await pipeline(Readable.from(reply.chunks()), this.response);
	}
}
