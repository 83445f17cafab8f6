/** What a run of the node writes into n8n's log as warnings. */
export interface Warnings {
	readonly lines: string[];
	onWarning(text: string): void;
	/** Resolves with the first one, at once if there is one. */
	next(): Promise<string>;
	/** Forgets those so far. */
	clear(): void;
}

export function collectWarnings(): Warnings {
	const lines: string[] = [];
	const waiting: Array<() => void> = [];
	return {
		lines,
		onWarning(text) {
			lines.push(text);
			for (const wake of waiting.splice(0)) wake();
		},
		async next() {
			if (lines.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
			return lines.join('\n');
		},
		clear: () => void lines.splice(0),
	};
}
