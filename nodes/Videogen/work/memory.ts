import { type Clock, unlessStopped } from '../shared/clock';
import type { Book } from './book';
import type { Order } from './order';
import { Recent } from './recent';

/** How long, and how much. */
const LIMITS = { lifetimeMs: 24 * 60 * 60_000, maxBytes: 64_000_000 };

/** The book of an execution and its retries. */
interface KnownBook {
	readonly book: Book;
	/** About how many bytes each order takes, by its ID. */
	readonly sizes: Map<string, number>;
}

/** What this process remembers of orders, and who is creating one right now. */
export class Memory {
	private readonly books: Recent<KnownBook>;

	/** The books that runs work with right now, which are known however much there is to remember. */
	private readonly inUse = new Map<string, { book: Book; runs: number }>();

	/** Who is creating an order, by the order's ID. */
	private readonly holders = new Map<string, object>();

	private readonly waiting = new Set<() => void>();

	constructor(readonly clock: Pick<Clock, 'now' | 'date'>) {
		this.books = new Recent(LIMITS, clock.now);
	}

	/**
	 * The book to use: the saved one, or the one that this process knows. What was saved without a
	 * task says nothing new, whatever its revision. Call `close` later.
	 */
	open(saved: Book): Book {
		const known = this.books.get(saved.id);
		const { book: used, runs } = this.inUse.get(saved.id) ?? { book: known?.book, runs: 0 };
		const isNewer = used && (used.revision >= saved.revision || isUnused(saved));
		const book = isNewer ? used : saved;
		this.inUse.set(saved.id, { book, runs: runs + 1 });
		this.books.set(saved.id, { book, sizes: known?.sizes ?? new Map<string, number>() }, 0);
		return book;
	}

	/**
	 * Keeps a book in which a task exists, may exist or has ended, and forgets any other. Another run
	 * of it, or what came since, may have made this process forget it.
	 * @param changed Orders whose size may have changed.
	 */
	close(book: Book, changed: readonly Order[]): void {
		const used = this.inUse.get(book.id);
		if (used && used.runs > 1) used.runs -= 1;
		else this.inUse.delete(book.id);
		const known = this.books.get(book.id);
		if (known && known.book.revision > book.revision) return;
		const orders = Object.values(book.orders);
		if (isUnused(book)) return this.books.delete(book.id);
		const sizes = known?.sizes ?? new Map<string, number>();
		let moreBytes = 0;
		for (const order of new Set([...changed, ...orders.filter((one) => !sizes.has(one.id))])) {
			const bytes = bytesOf(order);
			moreBytes += bytes - (sizes.get(order.id) ?? 0);
			sizes.set(order.id, bytes);
		}
		this.books.set(book.id, { book, sizes }, moreBytes);
	}

	/**
	 * Orders of a node that executions of this process are creating, or have sent within the day. The
	 * newest execution comes first.
	 */
	ordersOf(node: string): Order[] {
		const since = this.clock.date() - LIMITS.lifetimeMs;
		const isRecent = ({ id, sentAtMs }: Order) => this.holders.has(id) || sentAtMs > since;
		const books = [...this.books.values(), ...this.inUse.values()].map(({ book }) => book);
		return [...new Set(books)]
			.flatMap(({ orders }) => Object.values(orders))
			.filter((order) => order.node === node && isRecent(order));
	}

	/** Whether someone else is creating this order right now. */
	isHeld(order: Order | undefined, asking: object): boolean {
		const holder = this.holders.get(order?.id ?? '');
		return holder !== undefined && holder !== asking;
	}

	hold({ id }: Order, holder: object): void {
		if (!this.holders.has(id)) this.holders.set(id, holder);
	}

	/** The outcome of the order is known, so waiting executions can continue. */
	release({ id }: Order, holder: object): void {
		if (this.holders.get(id) !== holder) return;
		this.holders.delete(id);
		for (const goOn of this.waiting) goOn();
		this.waiting.clear();
	}

	/** Resolves when an order is released, or when `end` aborts. */
	async nextRelease(end: AbortSignal): Promise<void> {
		const released = async () => await new Promise<void>((resolve) => this.waiting.add(resolve));
		await unlessStopped(end, released).catch(() => undefined);
	}
}

/** Whether none of its orders has made a task. */
const isUnused = ({ orders }: Book): boolean =>
	Object.values(orders).every(({ state }) => state.is === 'new');

/** About how much memory JSON values take: up to two bytes for a character. */
const bytesOf = (value: unknown): number => 2 * JSON.stringify(value).length;
