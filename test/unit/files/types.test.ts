import { DownloadError } from '../../../nodes/Videogen/files/downloadError';
import { extensionOf, typeOfBytes, typeOfResult } from '../../../nodes/Videogen/files/types';

const sizeAndName = (brand: string) => `\0\0\0\x20ftyp${brand}`;
const riff = (form: string) => `RIFF\x10\0\n\0${form}`;

test.each([
	[sizeAndName('isom'), 'video/mp4'],
	[sizeAndName('qt  '), 'video/quicktime'],
	['\x1a\x45\xdf\xa3........', 'video/webm'],
	[sizeAndName('heic'), undefined],
	[sizeAndName('M4A '), undefined],
	[riff('WAVE'), 'audio/wav'],
	[riff('WEBP'), 'image/webp'],
	[riff('AVI '), undefined],
	['\x89PNG\r\n\x1a\n....', 'image/png'],
	['\xff\xd8\xff\xe0........', 'image/jpeg'],
	['ID3.........', 'audio/mpeg'],
	['\xff\xfb..........', 'audio/mpeg'],
	['....\x89PNG', undefined],
	['', undefined],
])('what begins with %j is %s', (text, type) => {
	expect(typeOfBytes(Buffer.from(text, 'latin1'))).toBe(type);
	expect(typeOfBytes(Buffer.from(`${text}${'x'.repeat(100)}`, 'latin1'))).toBe(type);
});

test.each<[said: unknown, path: string, first: string, mediaType: string]>([
	['Video/MP4; codecs="avc1"', 'a.png', 'anything', 'video/mp4'],
	[' image/PNG ', 'a', '', 'image/png'],
	['video/x-odd', 'a', '', 'video/x-odd'],
	['application/octet-stream', 'a.WebM?b=c.png', '', 'video/webm'],
	['binary/octet-stream', 'a.mp3', '', 'audio/mpeg'],
	['application/octet-stream; charset=binary', 'a', '', 'video/mp4'],
	[undefined, 'a.exe', '', 'video/mp4'],
	// What a file is, its bytes say first.
	['application/mp4', 'a', sizeAndName('isom'), 'video/mp4'],
	['text/html', 'a', sizeAndName('isom'), 'video/mp4'],
	['image/jpg', 'a.mp4', '\xff\xd8\xff\xe0........', 'image/jpeg'],
	['audio/x-wav', 'a.mp4', riff('WAVE'), 'audio/wav'],
	['application/octet-stream', 'a.mp4', '\x1a\x45\xdf\xa3........', 'video/webm'],
])('a result sent as %j from %s that begins with %j is %s', (said, path, first, mediaType) =>
	expect(typeOfResult(said, `https://e.com/${path}`, Buffer.from(first, 'latin1'))).toBe(mediaType),
);

test.each([
	...['<?xml version="1.0"?><Error/>', '<html>', '{"error":"no"}', '[1]'],
	...['\n\t <!DOCTYPE html>', '\xef\xbb\xbf{"error"', '<', '"not ready"'],
	...['\xff\xfe<\0?\0', '\xfe\xff\0<\0?'],
])('what begins with %j is no video, whatever its host says, and may be late', (text) => {
	const first = Buffer.from(text, 'latin1');
	for (const said of ['video/mp4', 'application/octet-stream', undefined]) {
		const type = () => typeOfResult(said, 'https://e.com/a.mp4', first);
		expect(type).toThrow(expect.objectContaining({ why: 'text', mayPass: true }));
	}
});

test.each(['TEXT/HTML;charset=utf-8', 'application/json', 'videos/mp4', 'application/xhtml+xml'])(
	'%s is no result',
	(contentType) =>
		expect(() => typeOfResult(contentType, 'https://e.com/a.mp4')).toThrow(DownloadError),
);

test.each([
	['video/mp4', 'mp4'],
	['image/jpeg', 'jpg'],
	['image/svg+xml', 'bin'],
	['constructor', 'bin'],
])('a file of the type %s is .%s', (mediaType, extension) =>
	expect(extensionOf(mediaType)).toBe(extension),
);
