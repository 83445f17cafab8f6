/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Simulator } from '../../tools/simulator';
import { VirtualClock } from '../../tools/virtualClock';

/** More turns of the event loop than it takes to close a connection on both sides. */
const TURNS_TO_REST = 20;

/** The moment at which it begins, for dates. */
const START_MS = Date.UTC(2026, 10, 24);

interface OpenRequest {
	/** Its limit, or what combines that with other signals. */
	heard: AbortSignal;
	/** Ends the sleep at whose end the limit is reached. */
	done: AbortController;
	/** Whether its answer has come, with its body, or has failed to. */
	isAnswered?: true;
}

type Helpers = IExecuteFunctions['helpers'];

/**
 * Virtual time around real HTTP and files. It stands still while something of that is under way,
 * however slow the machine, and jumps as soon as everything waits, for a moment or for a request that
 * hangs.
 *
 * Requests to the service are known by their time limits: `limit` stands in for `AbortSignal.timeout`,
 * and who listens to it, or to what combines it with others, is waiting for an answer, until that
 * has come.
 */
export class RequestClock extends VirtualClock {
	private open: OpenRequest[] = [];

	/** Files on their way. */
	private readonly files = new Set<object>();

	/** Limits that were reached, each of which ends a request that hung. */
	private reached = 0;

	private turnsAtRest = 0;

	private restore = (): void => undefined;

	/** @param simulator Whose requests take the time. */
	constructor(private readonly simulator: () => Pick<Simulator, 'requests'>) {
		super();
	}

	override date = (): number => Math.floor(START_MS + this.now());

	/** Takes the time of requests over, until `remove` is called. */
	install(): void {
		this.restore();
		// A spy would keep every call, of which there are hundreds of thousands.
		const { timeout } = AbortSignal;
		const any = AbortSignal.any.bind(AbortSignal);
		AbortSignal.timeout = this.limit;
		AbortSignal.any = (signals) => {
			const heard = any(signals);
			for (const one of this.open) if (signals.includes(one.heard)) one.heard = heard;
			return heard;
		};
		this.restore = () => void Object.assign(AbortSignal, { timeout, any });
	}

	remove(): void {
		this.restore();
	}

	private limit = (ms: number): AbortSignal => {
		const controller = new AbortController();
		const done = new AbortController();
		this.open.push({ heard: controller.signal, done });
		void this.sleep(ms, done.signal).then(() => {
			if (done.signal.aborted) return;
			this.reached += 1;
			controller.abort();
		});
		return controller.signal;
	};

	/** n8n's helpers, whose requests and files take the time of this clock. */
	around(helpers: Helpers): Helpers {
		const { open, files } = this;
		const withFile =
			<Given extends unknown[], Value>(use: (...given: Given) => Promise<Value>) =>
			async (...given: Given) => {
				const file = {};
				files.add(file);
				return await untilRead(use(...given), () => files.delete(file));
			};
		return {
			...helpers,
			httpRequest: withFile(helpers.httpRequest),
			prepareBinaryData: withFile(helpers.prepareBinaryData),
			getBinaryStream: withFile(helpers.getBinaryStream),
			binaryToBuffer: withFile(helpers.binaryToBuffer),
			async httpRequestWithAuthentication(...request) {
				// Its limit was asked for just before.
				const own = open.at(-1) ?? {};
				const answer = helpers.httpRequestWithAuthentication.apply(this, request);
				return await untilRead(answer, () => Object.assign(own, { isAnswered: true }));
			},
		};
	}

	/** How many waits of the node there are, time limits of its requests aside. */
	get waiting(): number {
		this.dropAnswered();
		return this.sleeping - this.open.length;
	}

	/** Forgets requests that hang, files that stall, and all sleeps so far. */
	forgetRequests(): void {
		for (const { done } of this.open.splice(0)) done.abort('forgotten');
		this.files.clear();
		this.reached = 0;
		this.sleeps = 0;
	}

	/** The service may need a moment to see that a request which hung was given up. */
	protected override isAtRest(): boolean {
		this.dropAnswered();
		const unanswered = this.simulator().requests.filter(({ fault }) => fault === 'hang');
		const ended = unanswered.filter((request) => request.ended).length;
		// One that reached its limit is over at once here, though the service has not seen it yet.
		const hanging = unanswered.length - Math.max(ended, this.reached);
		const isAtRest = this.open.length <= hanging && this.files.size === 0;
		this.turnsAtRest = isAtRest ? this.turnsAtRest + 1 : 0;
		return isAtRest && (hanging === 0 || this.turnsAtRest > TURNS_TO_REST);
	}

	private dropAnswered(): void {
		for (const request of this.open.splice(0)) {
			const { heard, done, isAnswered } = request;
			if (!isAnswered && getEventListeners(heard, 'abort').length > 0) this.open.push(request);
			else done.abort('answered');
		}
	}
}

/** Calls back when an answer has failed to come, or has come and its body is over, if it has one. */
async function untilRead<Answer>(coming: Promise<Answer>, end: () => void): Promise<Answer> {
	try {
		const answer = await coming;
		const body: unknown = answer instanceof Readable ? answer : Reflect.get(Object(answer), 'body');
		if (body instanceof Readable && !body.closed) body.once('close', end);
		else end();
		return answer;
	} catch (error) {
		end();
		throw error;
	}
}
