import type { IBinaryData } from 'n8n-workflow';
import { keepsInMemory, lastingIdOf } from '../../../nodes/Videogen/n8n/binaryStorage';

const stored = { data: 'filesystem-v2', mimeType: 'text/plain', id: 'filesystem-v2:1' };

test.each<[what: string, expected: boolean, stored: Promise<IBinaryData>]>([
	['a file has no ID', true, Promise.resolve({ data: 'Pw==', mimeType: 'text/plain' })],
	['a file has one', false, Promise.resolve(stored)],
	['storing fails, as the download will say', false, Promise.reject(new Error('ENOSPC'))],
])('where %s, that n8n keeps files in its memory is %s', async (_what, expected, file) => {
	const prepareBinaryData = async () => await file;
	expect(await keepsInMemory({ prepareBinaryData })).toBe(expected);
});

test.each([
	'filesystem-v2:workflows/1/executions/temp/binary_data/0b7c',
	...['s3:workflows/1/executions/7/binary_data/0b7c', 'database:0b7c', '0b7c'],
])('of the ID %s, what stays wherever n8n moves the file is its end', (id) => {
	expect(lastingIdOf(id)).toBe('0b7c');
});
