import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Fault } from './faults';
import type { Reply } from './replies';
import type { RecordedRequest, RequestLog } from './requests';

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
	sendHead(reply: Reply): void {
		const headers = { ...reply.headers, 'content-length': reply.length };
		this.response.writeHead(reply.status, headers);
		this.log.answered(this.recorded, reply.status);
	}

	/** Sends the whole reply, to HEAD without its body. Rejects when the client hangs up. */
	async send(reply: Reply): Promise<void> {
		this.sendHead(reply);
		if (this.recorded.method === 'HEAD') this.response.end();
		else await pipeline(Readable.from(reply.chunks()), this.response);
	}
}
