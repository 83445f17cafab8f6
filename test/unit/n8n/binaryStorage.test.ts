import type { IBinaryData } from 'n8n-workflow';
import type * as binaryStorage from '../../../nodes/Videogen/n8n/binaryStorage';
import { lastingIdOf } from '../../../nodes/Videogen/n8n/binaryStorage';

const stored = { data: 'filesystem-v2', mimeType: 'text/plain', id: 'filesystem-v2:1' };

/** As it is when n8n starts: what is learned once stays. */
function afterStart(): typeof binaryStorage {
	jest.resetModules();
	return jest.requireActual('../../../nodes/Videogen/n8n/binaryStorage');
}

test.each<[what: string, expected: boolean, stored: IBinaryData]>([
	['a file has no ID', true, { data: 'Pw==', mimeType: 'text/plain' }],
	['a file has one', false, stored],
])('where %s, that n8n keeps files in its memory is %s, by one file', async (_what, is, file) => {
	const { keepsInMemory } = afterStart();
	const prepareBinaryData = jest.fn(async () => await Promise.resolve(file));
	for (let run = 0; run < 3; run += 1) expect(await keepsInMemory({ prepareBinaryData })).toBe(is);
	expect(prepareBinaryData).toHaveBeenCalledTimes(1);
});

test('where n8n cannot store a file, the download will say so, and the next run asks again', async () => {
	const { keepsInMemory } = afterStart();
	const prepareBinaryData = jest.fn().mockRejectedValueOnce(new Error('ENOSPC'));
	prepareBinaryData.mockResolvedValue({ data: 'Pw==', mimeType: 'text/plain' });
	expect(await keepsInMemory({ prepareBinaryData })).toBe(false);
	expect(await keepsInMemory({ prepareBinaryData })).toBe(true);
});

test.each([
	'filesystem-v2:workflows/1/executions/temp/binary_data/0b7c',
	...['s3:workflows/1/executions/7/binary_data/0b7c', 'database:0b7c', '0b7c'],
])('of the ID %s, what stays wherever n8n moves the file is its end', (id) => {
	expect(lastingIdOf(id)).toBe('0b7c');
});
