import { type Reply, errorReply } from './replies';
import type { RecordedRequest } from './requests';

/**
 * What a service makes of `Idempotency-Key` (the contract has no such header):
 * - `ignored`: nothing;
 * - `honoured`: a create with the key of one that made a task gets the same answer and makes none;
 * - `repeated`: it gets the first answer again, whatever that was;
 * - 409 or 422: it is told with this status that the key was used before.
 */
export type IdempotencyKeys = 'ignored' | 'honoured' | 'repeated' | 409 | 422;

const REPLAYED = { 'idempotency-replayed': 'true' };

/** The creates that came with a key. */
export class KnownKeys {
	private readonly known = new Map<string, { bodyText: string; reply: Reply }>();

	mode: IdempotencyKeys = 'ignored';

	/** What a create with a known key is answered; `undefined` for a new key. */
	answerTo({ headers, bodyText }: RecordedRequest): Reply | undefined {
		const first = this.known.get(String(headers['idempotency-key']));
		if (first === undefined || this.mode === 'ignored') return undefined;
		if (typeof this.mode === 'number') {
			return errorReply(this.mode, { code: 'paid_outcome_unknown', message: 'Used before.' });
		}
		if (this.mode === 'honoured' && first.bodyText !== bodyText) {
			return errorReply(409, { code: 'idempotency_conflict', message: 'The body differs.' });
		}
		const { reply } = first;
		return { ...reply, headers: { ...reply.headers, ...REPLAYED } };
	}

	/** The first answer to a key stays. */
	remember({ route, headers, bodyText, taskId }: RecordedRequest, reply: Reply): void {
		const key = headers['idempotency-key'];
		const isKept = this.mode !== 'honoured' || taskId !== undefined;
		if (route !== 'create' || typeof key !== 'string' || this.known.has(key) || !isKept) return;
		this.known.set(key, { bodyText, reply });
	}

	clear(): void {
		this.mode = 'ignored';
		this.known.clear();
	}
}
