import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DEFAULT_MODEL_FAMILY, modelOf } from '../../nodes/Videogen/contract/limits';
import { buildRecord } from '../simulator/record';
import { newTaskId } from '../simulator';

/**
 * The service as far as the engine's benchmark needs it, in a process of its own, so that its
 * work counts neither as time nor as memory of what is measured. The simulator cannot stand in
 * here: each of its creates looks at all tasks so far, which by itself grows with their number.
 *
 * A task is finished after a fixed number of reads, so that every run sends the same requests.
 * To each message this process answers how many requests came since the last one.
 */
const READS_UNTIL_FINAL = 2;

const MODEL = modelOf(DEFAULT_MODEL_FAMILY, 'text-to-video');
const RESULT = 'https://videos.example.com/result.mp4';

/** How often each unfinished task was read. */
const reads = new Map<string, number>();
let requests = 0;

function recordOf(id: string, isFinal: boolean) {
	return buildRecord({
		id,
		model: MODEL,
		createdAtMs: 1_750_000_000_000,
		state: isFinal
			? { status: 'completed', progress: 100 }
			: { status: 'processing', progress: 50 },
		estimatedTime: 60,
		results: [RESULT],
		error: undefined,
		extraFields: true,
	});
}

function create() {
	const id = newTaskId();
	reads.set(id, 0);
	return recordOf(id, false);
}

function read(id: string) {
	const count = (reads.get(id) ?? 0) + 1;
	const isFinal = count >= READS_UNTIL_FINAL;
	if (isFinal) reads.delete(id);
	else reads.set(id, count);
	return recordOf(id, isFinal);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
	requests += 1;
	request.resume().on('end', () => {
		const id = request.url?.split('/').at(-1) ?? '';
		const body = JSON.stringify(request.method === 'POST' ? create() : read(id));
		response.writeHead(200, {
			'content-type': 'application/json',
			'content-length': Buffer.byteLength(body),
		});
		response.end(body);
	});
}

const server = createServer(answer).listen(0, '127.0.0.1', () => {
	const address = server.address();
	process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.on('message', () => {
	process.send?.({ requests, unfinished: reads.size });
	requests = 0;
});
process.on('disconnect', () => process.exit());
