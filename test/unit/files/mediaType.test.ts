import { Readable } from 'node:stream';
import {
	extensionFor,
	isMedia,
	mediaTypeOf,
	typeOfBody,
	typeOfInput,
} from '../../../nodes/Videogen/files/mediaType';

test.each<[contentType: unknown, extension: string, mediaType: string]>([
	['video/mp4', 'png', 'video/mp4'],
	['Video/MP4; codecs="avc1"', '', 'video/mp4'],
	[' image/PNG ', 'mp4', 'image/png'],
	[['image/png'], '', 'image/png'],
	['application/octet-stream', 'webm', 'video/webm'],
	['binary/octet-stream', 'mp3', 'audio/mpeg'],
	['application/x-dosexec', 'exe', 'video/mp4'],
	['video/mp4, image/png', '', 'video/mp4'],
	['constructor', 'webm', 'video/webm'],
	[undefined, '', 'video/mp4'],
	[7, 'constructor', 'video/mp4'],
])('a result sent as %j and called .%s is %s', (contentType, extension, mediaType) =>
	expect(mediaTypeOf(contentType, extension)).toBe(mediaType),
);

test.each([
	['video/mp4', 'm4v', 'm4v'],
	['video/mp4', 'exe', 'mp4'],
	['video/mp4', '', 'mp4'],
	['image/jpeg', 'jpeg', 'jpeg'],
	['image/jpeg', 'png', 'jpg'],
])('of the type %s, what is called .%s is .%s', (mediaType, own, extension) =>
	expect(extensionFor(mediaType, own)).toBe(extension),
);

test.each<[unknown, boolean]>([
	['TEXT/HTML;charset=utf-8', false],
	['application/xhtml+xml', false],
	['application/octet-stream', false],
	['videos/mp4', false],
	[undefined, false],
	['image/svg+xml', true],
	[' Audio/WAV', true],
	['video/mp4; title="text/html"', true],
])('%j says that it is a result: %j', (contentType, is) => expect(isMedia(contentType)).toBe(is));

test.each([
	['application/octet-stream', 'image/png', 'photo.bin', 'image/png'],
	['application/pdf', 'image/png', 'scan.pdf', 'image/png'],
	['image/jpg', 'image/jpeg', 'photo.jpg', 'image/jpeg'],
	['video/x-m4v', 'video/mp4', 'a.m4v', 'video/mp4'],
	['audio/x-m4a', 'video/mp4', 'a.m4a', 'audio/x-m4a'],
	['binary/octet-stream', undefined, 'photo.JPG', 'image/jpeg'],
	['', undefined, 'a', ''],
	['image/x-odd', undefined, 'a.odd', 'image/x-odd'],
	['imagery/png', undefined, 'a', 'imagery/png'],
	['text/html', undefined, 'a.png', 'text/html'],
])(
	'a file that comes in as %j, begins as %j and is called %s, is %j',
	(said, ofBytes, name, type) => expect(typeOfInput(said, ofBytes, name)).toBe(type),
);

const sizeAndName = (brand: string) => `\0\0\0\x20ftyp${brand}`;
const riff = (form: string) => `RIFF\x10\0\n\0${form}`;
test.each([
	[sizeAndName('isom'), 'video/mp4'],
	[sizeAndName('qt  '), 'video/quicktime'],
	[sizeAndName('M4A '), 'audio/mp4'],
	['\x1aE\xdf\xa3........', 'video/webm'],
	[riff('AVI '), 'video/x-msvideo'],
	[riff('WAVE'), 'audio/wav'],
	[riff('WEBP'), 'image/webp'],
	['\0\0\x01\xba........', 'video/mpeg'],
	['\x89PNG\r\n\x1a\n....', 'image/png'],
	['\xff\xd8\xff\xe0........', 'image/jpeg'],
	['GIF89a......', 'image/gif'],
	['ID3.........', 'audio/mpeg'],
	['PK\x03\x04........', 'application/zip'],
	['<!DOCTYPE html>', undefined],
	['ftypisom....', undefined],
	['', undefined],
])('what begins with %j is %s, and all of it is still there', async (text, type) => {
	const bytes = Buffer.from(`${text}${text && 'the rest'.repeat(20_000)}`, 'latin1');
	// In pieces of all sizes, as they come over a network, and of buffers or bytes.
	for (const size of [1, 5, 12, 100_000]) {
		for (const objectMode of [true, false]) {
			const pieces = size === 1 ? [...bytes.subarray(0, 20)].map((byte) => Buffer.of(byte)) : [];
			for (let at = pieces.length; at < bytes.length; at += size * 1_000) {
				pieces.push(bytes.subarray(at, at + size * 1_000));
			}
			const body = Readable.from(pieces, { objectMode });
			expect(await typeOfBody(body)).toBe(type);
			const rest: Buffer[] = [];
			if (!body.readableEnded) for await (const piece of body) rest.push(piece);
			expect(Buffer.concat(rest).equals(bytes)).toBe(true);
		}
	}
});

test.each([
	['breaks off', new Error('ECONNRESET'), 'ECONNRESET'],
	['is closed', undefined, 'The body broke off'],
])('a body that %s before it says what it is, throws', async (_what, error, says) => {
	const body = new Readable({ read: () => undefined });
	const type = typeOfBody(body);
	body.destroy(error);
	await expect(type).rejects.toThrow(says);
});
