import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { MAX_BYTES_IN_DATABASE } from '../../nodes/Videogen/files/downloadError';
import { fastClock } from '../programs/support/clocks';
import { errorOf } from '../programs/support/engine';
import { useEngine } from './useEngine';

/** A bucket in this process. Like n8n's own, it holds a file whole before it sends it. */
class Bucket {
	/** Bytes of the files that are held, each time that one has come whole. */
	readonly heldBytes: number[] = [];

	private held = 0;

	private count = 0;

	async store(_location: unknown, body: Buffer | NodeJS.ReadableStream) {
		let fileSize = 0;
		for await (const piece of Buffer.isBuffer(body) ? [body] : body) {
			fileSize += piece.length;
			this.held += piece.length;
		}
		this.heldBytes.push(this.held);
		await new Promise((resolve) => setImmediate(resolve));
		this.held -= fileSize;
		this.count += 1;
		return { fileId: `workflows/1/executions/1/binary_data/${this.count}`, fileSize };
	}
}

const bucket = new Bucket();
beforeAll(() => {
	const service = Container.get(BinaryDataService);
	Object.assign(service, { mode: 's3' });
	Object.assign(Reflect.get(service, 'managers'), { s3: bucket });
});

const { simulator, run } = useEngine({
	clock: fastClock(),
	parameters: { downloadResults: true },
});

test('where n8n holds each file whole, results come one at a time', async () => {
	let open = 0;
	const openThen: number[] = [];
	const ends = [
		simulator.onRequest(({ route }) => {
			if (route === 'result') openThen.push((open += 1));
		}),
		simulator.onRequestEnd(({ route }) => {
			if (route === 'result') open -= 1;
		}),
	];
	const { output } = await run(['one', 'two', 'three', 'four']);
	for (const end of ends) end();
	expect(openThen).toEqual([1, 1, 1, 1]);
	expect(output.map(({ binary }) => binary?.data?.id?.slice(0, 12))).toEqual(
		Array(4).fill('s3:workflows'),
	);
	// The first is the file by which the node learns where n8n keeps files.
	const [, ...held] = bucket.heldBytes;
	expect(held).toHaveLength(4);
	expect(new Set(held).size).toBe(1);
});

test('a task whose files are larger than that is refused by their declared size', async () => {
	simulator.planTask({ resultBytes: MAX_BYTES_IN_DATABASE + 1 });
	const before = bucket.heldBytes.length;
	const { message, description } = errorOf(await run(['a fox']));
	expect(message).toContain('its files are larger than what n8n stores');
	expect(description).toContain('In a database or in S3 that is 512 MB');
	expect(bucket.heldBytes).toHaveLength(before);
});
