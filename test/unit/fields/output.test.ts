import { createTextVideo } from '../../../nodes/Videogen/fields/createTextVideo';
import { settingsOf } from '../../../nodes/Videogen/fields/operation';
import { refusalOf } from './planned';

const settings = (given: Record<string, unknown>) =>
	settingsOf(createTextVideo, {
		get: (name: string) => ({ waitForCompletion: true, ...given })[name] ?? null,
		written: {},
		evaluate: () => undefined,
	}).download;

const named = (binaryPropertyOutput: unknown) =>
	settings({ downloadResults: true, options: { binaryPropertyOutput } });

describe('whether results are downloaded', () => {
	test.each([
		{ downloadResults: false },
		{ downloadResults: 'false' },
		{ waitForCompletion: false, downloadResults: true },
	])('%j: no', (given) =>
		expect(settings({ ...given, options: { binaryPropertyOutput: 'a b' } })).toBeUndefined(),
	);

	test.each([true, 'true'])('%j: yes, into "data" unless another field is named', (value) => {
		expect(settings({ downloadResults: value })).toEqual({ binaryProperty: 'data' });
	});
});

describe('the field for the first file', () => {
	test.each(['video', 'Video_1', 'vidéo', '動画', '$file', 'a-b', ' padded\n', 'constructors'])(
		'may be %j',
		(name) => expect(named(name)).toEqual({ binaryProperty: name.trim() }),
	);

	test.each(['a b', 'a.b', 'a/b', 'é!', '__proto__', 'constructor', 'prototype', ' constructor '])(
		'may not be %j',
		(name) => expect(refusalOf(() => named(name)).message).toContain(JSON.stringify(name)),
	);
});
