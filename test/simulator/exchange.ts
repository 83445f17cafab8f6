import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Fault } from './faults';
import type { Reply } from './replies';
import type { RecordedRequest, RequestLog } from './requests';

/** How the end of the body is told: by its length beforehand, or by a last chunk. */
type Framing = 'length' | 'chunked';

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
	 * Sends the first half of the reply, then ends the connection or falls silent. What was sent is
	 * flushed before that, so that it happens to a client that has seen it.
	 */
	async sendHalf(reply: Reply, { closes, framing }: { closes: boolean; framing?: Framing }) {
		this.sendHead(reply, framing);
		let left = Math.floor(reply.length / 2);
		if (left === 0) this.response.flushHeaders();
		for (const chunk of reply.chunks()) {
			if (left <= 0 || this.response.destroyed) break;
			const part = chunk.subarray(0, left);
			await new Promise<void>((resolve) => this.response.write(part, () => resolve()));
			left -= part.length;
		}
		if (closes) this.response.socket?.end();
	}

	/** Sends the whole reply. Rejects when the client hangs up. */
	async send(reply: Reply, framing?: Framing): Promise<void> {
		this.sendHead(reply, framing);
		await pipeline(Readable.from(reply.chunks()), this.response);
	}
}
