import { extensionFor, isWebPage, mediaTypeOf } from '../../../nodes/Videogen/download/mediaType';

describe('the media type of a result', () => {
	test.each<[unknown, string, string]>([
		['video/mp4', 'png', 'video/mp4'],
		['Video/MP4; codecs="avc1"', '', 'video/mp4'],
		[' image/PNG ', 'mp4', 'image/png'],
		['image/jpg', '', 'image/jpeg'],
		['audio/x-wav', '', 'audio/wav'],
		['application/json', 'mp4', 'application/json'],
		['image/svg+xml;charset=utf-8', '', 'image/svg+xml'],
	])('is what the response says: %j, whatever the name', (contentType, extension, mediaType) =>
		expect(mediaTypeOf(contentType, extension)).toBe(mediaType),
	);

	test.each([
		'application/octet-stream',
		'binary/octet-stream',
		'Application/Octet-Stream; charset=binary',
		'application/force-download',
		'application/x-download',
		'application/x-msdownload',
		'',
		'video',
		'video/',
		'/mp4',
		'video/mp4/x',
		'video mp4',
		'video/mp4, image/png',
		'"video/mp4"',
		`video/${'x'.repeat(100)}`,
		undefined,
		null,
		7,
		['image/png', 'image/gif'],
	])('is what the name says after %j', (contentType) => {
		expect(mediaTypeOf(contentType, 'WebM')).toBe('video/webm');
		expect(mediaTypeOf(contentType, 'mp3')).toBe('audio/mpeg');
		expect(mediaTypeOf(contentType, 'exe')).toBe('video/mp4');
		expect(mediaTypeOf(contentType, '')).toBe('video/mp4');
	});

	test('comes also from a list of one', () => {
		expect(mediaTypeOf(['image/png'], '')).toBe('image/png');
	});
});

describe('the extension of a file', () => {
	test.each([
		['video/webm', 'webm'],
		['image/svg+xml', 'svg'],
		['audio/mp4', 'm4a'],
	])('of the type %s is .%s by itself', (mediaType, extension) => {
		expect(extensionFor(mediaType, '')).toBe(extension);
		expect(mediaTypeOf(undefined, extension)).toBe(mediaType);
	});

	test.each([
		['video/mp4', 'mp4', 'mp4'],
		['video/mp4', 'M4V', 'm4v'],
		['video/mp4', 'mov', 'mp4'],
		['video/mp4', '', 'mp4'],
		['video/mpeg', 'mpg', 'mpg'],
		['image/jpeg', 'jpeg', 'jpeg'],
		['model/gltf-binary', 'GLB', 'glb'],
		['model/gltf-binary', '', 'bin'],
		['model/gltf-binary', 'mp4', 'bin'],
		['video/ogg', 'ogg', 'ogg'],
		['audio/x-foo', 'png', 'bin'],
		['application/x-foo', 'mp3', 'bin'],
		['application/x-foo', 'waytoolong', 'bin'],
		['application/x-foo', 'a-b', 'bin'],
		['constructor/prototype', 'abc', 'abc'],
	])('of the type %s, called .%s, is %s', (mediaType, own, extension) =>
		expect(extensionFor(mediaType, own)).toBe(extension),
	);

	test.each(['exe', 'EXE', 'com', 'bat', 'cmd', 'msi', 'scr', 'ps1', 'vbs', 'js', 'mjs', 'jar'])(
		'is never .%s, which a system would run',
		(own) => expect(extensionFor('application/x-foo', own)).toBe('bin'),
	);

	test.each(['sh', 'app', 'dll', 'lnk', 'hta', 'htm', 'html', 'php', 'py'])('nor .%s', (own) =>
		expect(extensionFor('application/x-foo', own)).toBe('bin'),
	);
});

test.each<[unknown, boolean]>([
	['text/html', true],
	['TEXT/HTML;charset=utf-8', true],
	['application/xhtml+xml', true],
	['text/plain', true],
	['text/plain; charset=utf-8', true],
	['application/xml', true],
	['application/problem+json', true],
	['application/json', true],
	['image/svg+xml', false],
	['video/mp4', false],
	['application/octet-stream', false],
	['video/mp4; title="text/html"', false],
	[undefined, false],
])('%j is a web page: %j', (contentType, isPage) => expect(isWebPage(contentType)).toBe(isPage));
