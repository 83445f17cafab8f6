import type { IExecuteFunctions } from 'n8n-workflow';

/** Begins or ends a message in the answer that n8n streams, or writes a text into it. */
export type Stream = (type: 'begin' | 'item' | 'end', text?: string) => void;

type StreamContext = Partial<Pick<IExecuteFunctions, 'isStreaming' | 'sendChunk'>>;

/**
 * The answer that n8n streams to the caller of the workflow; `undefined` where it streams none. n8n
 * can from 1.123 on, but not for a tool of an agent before version 3, which runs its tools itself.
 */
export function streamOf(context: StreamContext): Stream | undefined {
	if (!context.isStreaming?.()) return undefined;
	return (type, text) => {
		// That nobody listens any more changes nothing for the run.
		const send = async () => await Promise.resolve(context.sendChunk?.(type, 0, text));
		send().catch(() => undefined);
	};
}
