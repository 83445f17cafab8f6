import { createTextVideo } from '../../../nodes/Videogen/operations/createTextVideo';
import { binaryPropertyOutput } from '../../../nodes/Videogen/fields/output';
import { planned, invalidOf } from './planned';

test.each([
	[{ downloadResults: 'true' }, 'data'],
	[{ options: { binaryPropertyOutput: 'clip' } }, 'clip'],
	[{ downloadResults: false, options: { binaryPropertyOutput: 'a b' } }, undefined],
	[{ waitForCompletion: false, options: { binaryPropertyOutput: 'a b' } }, undefined],
])('with %j, results are downloaded into %j', async (values, downloadTo) => {
	expect((await planned(createTextVideo, values)).downloadTo).toBe(downloadTo);
});

describe('the field for the first file', () => {
	const { read } = binaryPropertyOutput;

	test.each(['video', 'Video_1', 'vidéo', '動画', '$file', 'a-b', ' padded\n', 'constructors'])(
		'may be %j',
		(name) => expect(read(name)).toBe(name.trim()),
	);

	test.each(['a b', 'a.b', 'a/b', 'é!', '__proto__', 'constructor', 'prototype', ' constructor '])(
		'may not be %j',
		(name) => expect(invalidOf(() => read(name)).message).toContain(JSON.stringify(name)),
	);
});
