import { DEFAULT_API_KEY } from '../../simulator';
import { filesHolding } from '../../support/filesHolding';
import type { QueueBed } from '../queueBed';

/** Must come last: it reads everything that n8n and its workers saved and printed. */
export function testQueueSecrets(bed: QueueBed): void {
	it('has left no API key in the database, the settings or the logs', async () => {
		const rows = await bed.dumpDatabase();
		expect(rows).not.toContain(DEFAULT_API_KEY);
		expect(rows).toContain('videogenApi');
		expect(await filesHolding(bed.folder, DEFAULT_API_KEY)).toEqual([]);
		expect(await filesHolding(bed.folder, 'Editor is now accessible')).not.toEqual([]);
	});
}
