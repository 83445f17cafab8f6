import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { Simulator } from '../../tools/simulator';
import { VirtualClock } from '../../tools/virtualClock';

/** More turns of the event loop than it takes to close a connection on both sides. */
const TURNS_TO_REST = 20;

interface OpenRequest {
	limit: AbortSignal;
	/** Ends the sleep at whose end the limit is reached. */
	done: AbortController;
	/** Whether its answer has come, with its body, or has failed to. */
	isAnswered?: true;
}

/**
 * Virtual time around real HTTP. It stands still while a request is under way, however slow the
 * machine, and jumps as soon as everything waits, for a moment or for a request that hangs.
 *
 * Requests are known by their time limits: `limit` stands in for `AbortSignal.timeout`, and who
 * listens to what it gave is waiting for an answer, until `follow` has seen that come.
 */
export class RequestClock extends VirtualClock {
	private open: OpenRequest[] = [];

	/** Limits that were reached, each of which ends a request that hung. */
	private reached = 0;

	private turnsAtRest = 0;

	private restore = (): void => undefined;

	constructor(
		random: () => number,
		/** Whose requests take the time. */
		private readonly simulator: () => Pick<Simulator, 'requests'>,
	) {
		super(random);
	}

	/** Takes the time of requests over, until `remove` is called. */
	install(): void {
		this.restore();
		// A spy would keep every call, of which there are hundreds of thousands.
		const { timeout } = AbortSignal;
		AbortSignal.timeout = this.limit;
		this.restore = () => void (AbortSignal.timeout = timeout);
	}

	remove(): void {
		this.restore();
	}

	limit = (ms: number): AbortSignal => {
		const controller = new AbortController();
		const done = new AbortController();
		this.open.push({ limit: controller.signal, done });
		void this.sleep(ms, done.signal).then(() => {
			if (done.signal.aborted) return;
			this.reached += 1;
			controller.abort();
		});
		return controller.signal;
	};

	/** Follows the request whose limit was asked for last, to the end of its body. */
	async follow<Answer>(request: () => Promise<Answer>): Promise<Answer> {
		const open = this.open.at(-1);
		const end = () => Object.assign(open ?? {}, { isAnswered: true });
		try {
			const answer = await request();
			const body: unknown = Reflect.get(Object(answer), 'body');
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
		this.dropAnswered();
		return this.sleeping - this.open.length;
	}

	/** Forgets requests that hang, and all sleeps so far. */
	forgetRequests(): void {
		for (const { done } of this.open) done.abort('forgotten');
		this.open = [];
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
		const isAtRest = this.open.length <= hanging;
		this.turnsAtRest = isAtRest ? this.turnsAtRest + 1 : 0;
		return isAtRest && (hanging === 0 || this.turnsAtRest > TURNS_TO_REST);
	}

	private dropAnswered(): void {
		const isOpen = ({ limit, isAnswered }: OpenRequest) =>
			!isAnswered && getEventListeners(limit, 'abort').length > 0;
		for (const request of this.open) if (!isOpen(request)) request.done.abort('answered');
		this.open = this.open.filter(isOpen);
	}
}
