import type { IBinaryData } from 'n8n-workflow';
import type * as binaryStorage from '../../../nodes/Videogen/ground/storage';
import { lastingIdOf } from '../../../nodes/Videogen/ground/storage';

const stored = { data: 'filesystem-v2', mimeType: 'text/plain', id: 'filesystem-v2:1' };

/** As it is when n8n starts: what is learned once stays. */
function afterStart(): typeof binaryStorage {
	jest.resetModules();
	return jest.requireActual('../../../nodes/Videogen/ground/storage');
}

test.each<[stored: IBinaryData, place: string]>([
	[{ data: 'Pw==', mimeType: 'text/plain' }, 'memory'],
	[{ ...stored, id: 'database:7' }, 'database'],
	[{ ...stored, id: 's3:database:7' }, 'bucket'],
	[stored, 'disk'],
	[{ ...stored, id: 'filesystem:7' }, 'disk'],
	[{ ...stored, id: 'azure:7' }, 'bucket'],
])('where n8n stores %j, it keeps files in: %s, learned by one file', async (file, place) => {
	const { storageOf } = afterStart();
	const prepareBinaryData = jest.fn(async () => await Promise.resolve(file));
	for (let run = 0; run < 3; run += 1) expect(await storageOf({ prepareBinaryData })).toBe(place);
	expect(prepareBinaryData).toHaveBeenCalledTimes(1);
});

test('where n8n cannot store a file, the download will say so, and the next run asks again', async () => {
	const { storageOf } = afterStart();
	const prepareBinaryData = jest.fn().mockRejectedValueOnce(new Error('ENOSPC'));
	prepareBinaryData.mockResolvedValue({ data: 'Pw==', mimeType: 'text/plain' });
	expect(await storageOf({ prepareBinaryData })).toBe('disk');
	expect(await storageOf({ prepareBinaryData })).toBe('memory');
});

test.each([
	'filesystem-v2:workflows/1/executions/temp/binary_data/0b7c',
	...['s3:workflows/1/executions/7/binary_data/0b7c', 'database:0b7c', '0b7c'],
])('of the ID %s, what stays wherever n8n moves the file is its end', (id) => {
	expect(lastingIdOf(id)).toBe('0b7c');
});
