/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Simulator } from '../../tools/simulator';
import { VirtualClock } from '../../tools/virtualClock';

/** The moment at which it begins, for dates. */
const START_MS = Date.UTC(2026, 10, 24);

/** The header by which a request is found at the simulator. */
const CALL_HEADER = 'x-call';

const { timeout } = AbortSignal;

type Helpers = IExecuteFunctions['helpers'];

/**
 * Virtual time around real HTTP and files. It stands still while something of that is under way,
 * however slow the machine, and jumps as soon as everything waits, for a moment or for a request that
 * hangs.
 */
export class RequestClock extends VirtualClock {
	/** The requests and files that are on their way. */
	private readonly underWay = new Set<string>();

	/** The time limits of requests that are not answered: each ends the sleep until it is reached. */
	private readonly limits = new Set<AbortController>();

	/** @param simulator Whose requests take the time. */
	constructor(private readonly simulator: () => Pick<Simulator, 'requests'>) {
		super();
	}

	override date = (): number => Math.floor(START_MS + this.now());

	/** Takes the time limits of requests over, until `remove` is called. */
	install(): void {
		// A spy would keep every call, of which there are hundreds of thousands.
		AbortSignal.timeout = this.limit;
	}

	remove(): void {
		AbortSignal.timeout = timeout;
	}

	private limit = (ms: number): AbortSignal => {
		const reached = new AbortController();
		const answered = new AbortController();
		this.limits.add(answered);
		void this.sleep(ms, answered.signal).then(() => {
			if (!answered.signal.aborted) reached.abort();
		});
		return reached.signal;
	};

	/** n8n's helpers, whose requests and files take the time of this clock. */
	around(helpers: Helpers): Helpers {
		const track = this.track.bind(this);
		const { limits } = this;
		const tracked =
			<Given extends unknown[], Value>(use: (...given: Given) => Promise<Value>) =>
			async (...given: Given) =>
				await track(async () => await use(...given));
		return {
			...helpers,
			httpRequest: tracked(helpers.httpRequest),
			prepareBinaryData: tracked(helpers.prepareBinaryData),
			getBinaryStream: tracked(helpers.getBinaryStream),
			binaryToBuffer: tracked(helpers.binaryToBuffer),
			async httpRequestWithAuthentication(type, options) {
				const withKey = helpers.httpRequestWithAuthentication.bind(this);
				const send = async (call: string) =>
					await withKey(type, { ...options, headers: { ...options.headers, [CALL_HEADER]: call } });
				// Its limit was asked for just before.
				return await track(send, [...limits].at(-1));
			},
		};
	}

	/** Time stands still until the answer has come, with its body if it has one, or has failed to. */
	private async track<Answer>(
		use: (call: string) => Promise<Answer>,
		limit?: AbortController,
	): Promise<Answer> {
		const call = randomUUID();
		const end = () => {
			this.underWay.delete(call);
			if (limit && this.limits.delete(limit)) limit.abort('answered');
		};
		this.underWay.add(call);
		try {
			const answer = await use(call);
			const body: unknown =
				answer instanceof Readable ? answer : Reflect.get(Object(answer), 'body');
			if (body instanceof Readable && !body.closed) body.once('close', end);
			else end();
			return answer;
		} catch (error) {
			end();
			throw error;
		}
	}

	/** How many waits of the node there are, time limits of its requests aside. */
	get waiting(): number {
		return this.sleeping - this.limits.size;
	}

	/** Forgets requests that hang, files that stall, and all sleeps so far. */
	forgetRequests(): void {
		for (const limit of this.limits) limit.abort('forgotten');
		this.limits.clear();
		this.underWay.clear();
		this.sleeps = 0;
	}

	protected override isAtRest(): boolean {
		const { requests } = this.simulator();
		const isHanging = (call: string) =>
			requests.some(({ fault, headers }) => fault === 'hang' && headers[CALL_HEADER] === call);
		return [...this.underWay].every(isHanging);
	}
}
