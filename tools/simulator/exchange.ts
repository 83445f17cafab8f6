import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Fault } from './faults';
import type { Reply } from './replies';
import type { RecordedRequest, RequestLog } from './requests';

/** How the end of the body is told: by its length beforehand, or by a last chunk. */
type Framing = 'length' | 'chunked';

/** One request and its answer: the only way to answer, so that the log always knows the status. */
export abstract class Exchange {
	constructor(
		readonly recorded: RecordedRequest,
		/** Aborted when the simulator is closed or reset. */
		readonly signal: AbortSignal,
		protected readonly log: RequestLog,
	) {
		log.add(recorded);
	}

	/** Told of every reply before it goes out. */
	onReply: (reply: Reply) => void = () => undefined;

	/** Written down before the fault is played: a fault that hangs is seen only by this. */
	markFault(kind: Fault['kind']): void {
		this.recorded.fault = kind;
		this.log.changed(this.recorded);
	}

	/** Sends the whole reply. Rejects when the client hangs up. */
	abstract send(reply: Reply, framing?: Framing): Promise<void>;

	/** Sends the first half of the reply, then ends the connection or falls silent. */
	abstract sendHalf(reply: Reply, how: { closes: boolean; framing?: Framing }): Promise<void>;

	/** Ends the connection without an answer. */
	abstract reset(how?: LostConnection): void;

	/** Answers for a mistake in the simulator, unless an answer has begun or nobody waits for one. */
	abstract abandon(reply: Reply): Promise<void>;
}

/** An exchange over a connection. */
export class HttpExchange extends Exchange {
	constructor(
		private readonly response: ServerResponse,
		...[recorded, signal, log]: ConstructorParameters<typeof Exchange>
	) {
		super(recorded, signal, log);
		response.on('close', () => log.ended(recorded));
	}

	async send(reply: Reply, framing?: Framing): Promise<void> {
		this.onReply(reply);
		this.sendHead(reply, framing);
		await pipeline(Readable.from(reply.chunks()), this.response);
	}

	/** What was sent is flushed before the end, so that it happens to a client that has seen it. */
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

	reset(): void {
		this.response.socket?.resetAndDestroy();
	}

	async abandon(reply: Reply): Promise<void> {
		const { response, signal } = this;
		if (signal.aborted || response.destroyed || response.headersSent) response.destroy();
		else await this.send(reply);
	}

	/** Status and headers only. */
	private sendHead(reply: Reply, framing: Framing = 'length'): void {
		const frame: Record<string, string> =
			framing === 'chunked'
				? { 'transfer-encoding': 'chunked' }
				: { 'content-length': String(reply.length) };
		this.response.writeHead(reply.status, { ...reply.headers, ...frame });
		this.log.answered(this.recorded, reply.status);
	}
}

/** What a client that asked without a connection gets. */
export interface DirectAnswer {
	statusCode: number;
	headers: Record<string, string>;
	body: string;
}

/** The system's code for it, and the call that failed with it. */
interface LostConnection {
	code?: string;
	syscall?: 'read' | 'connect';
}

const connectionLost = ({ code = 'ECONNRESET', syscall = 'read' }: LostConnection = {}): Error =>
	Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

/** An exchange without a connection, many times as fast; a body is whole or lost. */
export class DirectExchange extends Exchange {
	/** Rejects as a client does whose connection broke off or who gave up. */
	readonly answer: Promise<DirectAnswer>;

	private resolve: (answer: DirectAnswer) => void = () => undefined;

	private reject: (reason: Error) => void = () => undefined;

	constructor(
		client: AbortSignal,
		...[recorded, signal, log]: ConstructorParameters<typeof Exchange>
	) {
		super(recorded, signal, log);
		this.answer = new Promise((resolve, reject) => {
			this.resolve = resolve;
			this.reject = reject;
		});
		const lose = () => this.reset();
		client.addEventListener('abort', lose, { once: true });
		signal.addEventListener('abort', lose, { once: true });
		const end = () => {
			client.removeEventListener('abort', lose);
			signal.removeEventListener('abort', lose);
			log.ended(recorded);
		};
		this.answer.then(end, end);
		if (client.aborted) lose();
	}

	async send(reply: Reply): Promise<void> {
		const { status, headers, chunks } = reply;
		this.onReply(reply);
		this.log.answered(this.recorded, status);
		this.resolve({ statusCode: status, headers, body: Buffer.concat([...chunks()]).toString() });
		await Promise.resolve();
	}

	async sendHalf({ status }: Reply, { closes }: { closes: boolean }): Promise<void> {
		this.log.answered(this.recorded, status);
		if (closes) this.reset();
		await Promise.resolve();
	}

	reset(how?: LostConnection): void {
		this.reject(connectionLost(how));
	}

	async abandon(reply: Reply): Promise<void> {
		await this.send(reply);
	}
}
