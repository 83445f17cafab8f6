import { createServer } from 'node:http';
import { z } from 'zod';
import type { RawReply } from './hostileReplies';

/** A service that answers every request with the next of the given replies, byte by byte. */
export interface HostileService {
	baseUrl: string;
	/** Starts over with these, which come round again. */
	answerWith(replies: RawReply[]): void;
	/** How many requests came since then. */
	requestCount(): number;
	close(): Promise<void>;
}

const addressSchema = z.object({ port: z.number() });

export async function startHostileService(): Promise<HostileService> {
	let replies: RawReply[] = [];
	let count = 0;
	const server = createServer((request, response) => {
		request.resume();
		const reply = replies[count % replies.length];
		count += 1;
		response.writeHead(reply?.status ?? 500, reply?.headers);
		response.end(reply?.body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = addressSchema.parse(server.address());
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		answerWith(given) {
			replies = given;
			count = 0;
		},
		requestCount: () => count,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
