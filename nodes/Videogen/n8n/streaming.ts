import type { IExecuteFunctions } from 'n8n-workflow';

/** Writes a text into the answer that n8n streams; without one, begins or ends a message. */
export type Stream = (type: 'begin' | 'item' | 'end', text?: string) => void;

type StreamContext = Partial<Pick<IExecuteFunctions, 'isStreaming' | 'sendChunk'>>;

/**
 * The answer that n8n streams to who called the workflow; `undefined` where it streams none. Every
 * n8n from 1.123 on can, but not for the tool of an agent that runs its tools itself (agents before 3).
 */
export function streamOf(context: StreamContext): Stream | undefined {
	if (!context.isStreaming?.()) return undefined;
	return (type, text) => {
		// Nobody may be listening any more, and that changes nothing for the run.
		const send = async () => await Promise.resolve(context.sendChunk?.(type, 0, text));
		send().catch(() => undefined);
	};
}
