import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { MEGABYTE, riseOf } from '../../bench/resident';
import type { Suite } from '../beds/suite';
import { notWaiting, saidBy } from '../vocabulary';

/** What a record weighs that was packed; read whole, it raised n8n's memory by 1,123 MB. */
const RECORD_MEGABYTES = 400;
const MAX_RISE_MEGABYTES = 200;

/** A task record that is valid and huge, packed. */
async function packedRecord(id: string): Promise<Buffer> {
	const megabyte = Buffer.alloc(MEGABYTE, 'x');
	function* pieces() {
		yield Buffer.from(`{"id":"${id}","status":"completed","note":"`);
		for (let piece = 0; piece < RECORD_MEGABYTES; piece += 1) yield megabyte;
		yield Buffer.from('"}');
	}
	return await buffer(Readable.from(pieces()).pipe(createGzip()));
}

/** Answers that are far larger than any that is meant. */
export function testLimits(n8n: Suite): void {
	it.each([
		['a read', 'task', { operation: 'getTask', taskId: 'task_1' }],
		['a create', 'create', { prompt: 'A fox', ...notWaiting }],
	] as const)(
		'refuses a record of 400 MB as the answer to %s, in little memory',
		async (_what, on, parameters) => {
			const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
			const body = await packedRecord('task_1');
			n8n.sim.script({ on, times: Infinity, fault: { kind: 'raw', status: 200, headers, body } });
			let said = '';
			const rise = await riseOf(n8n.bed.processGroup, async () => {
				said = saidBy(await n8n.run({ parameters }, 'error'));
			});
			process.stderr.write(
				`n8n ${n8n.version}: ${on} of 400 MB, +${Math.round(rise / MEGABYTE)} MB\n`,
			);
			expect(said).toContain('larger than 1 MB');
			if (on === 'create')
				expect(said).toContain('It begins with “{"id":"task_1","status":"completed"');
			expect(rise / MEGABYTE).toBeLessThan(MAX_RISE_MEGABYTES);
		},
	);
}
