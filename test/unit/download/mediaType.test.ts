import { extensionFor, isWebPage, mediaTypeOf } from '../../../nodes/Videogen/downloads/mediaType';

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
	['TEXT/HTML;charset=utf-8', true],
	['application/xhtml+xml', true],
	['text/plain', true],
	['application/xml', true],
	['application/problem+json', true],
	['application/json', true],
	['image/svg+xml', false],
	['application/octet-stream', false],
	['video/mp4; title="text/html"', false],
	[undefined, false],
])('%j is a web page: %j', (contentType, isPage) => expect(isWebPage(contentType)).toBe(isPage));
