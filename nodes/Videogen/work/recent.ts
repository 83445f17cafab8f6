/** Holds what is remembered, within a time and a size. The oldest entries go first. */
export class Recent<Value> {
	/** Oldest first. */
	private readonly entries = new Map<string, { value: Value; atMs: number; bytes: number }>();

	private totalBytes = 0;

	constructor(
		private readonly limits: { lifetimeMs: number; maxBytes: number },
		private readonly now: () => number,
	) {}

	get(key: string): Value | undefined {
		this.forgetOld();
		return this.entries.get(key)?.value;
	}

	/** Newest first. */
	values(): Value[] {
		this.forgetOld();
		return [...this.entries.values()].map(({ value }) => value).reverse();
	}

	/** @param moreBytes About how much memory the value takes that it did not take before. */
	set(key: string, value: Value, moreBytes: number): void {
		const bytes = (this.entries.get(key)?.bytes ?? 0) + moreBytes;
		this.delete(key);
		this.entries.set(key, { value, atMs: this.now(), bytes });
		this.totalBytes += bytes;
		this.forgetOld();
	}

	delete(key: string): void {
		this.totalBytes -= this.entries.get(key)?.bytes ?? 0;
		this.entries.delete(key);
	}

	/** Forgets what is too old, and the oldest of what is too much. */
	private forgetOld(): void {
		const bornAt = this.now() - this.limits.lifetimeMs;
		for (const [key, { atMs }] of this.entries) {
			if (atMs > bornAt && this.totalBytes <= this.limits.maxBytes) return;
			this.delete(key);
		}
	}
}
