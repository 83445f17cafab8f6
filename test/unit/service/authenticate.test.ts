import { cleanApiKey, cleanBaseUrl } from '../../../nodes/Videogen/service/authenticate';

test.each([
	['https://api.example.com', 'https://api.example.com'],
	['https://api.example.com/', 'https://api.example.com'],
	[' https://api.example.com/video// \n', 'https://api.example.com/video'],
	['\u00a0https://api.example.com\u00a0', 'https://api.example.com'],
	['\ufeffhttps://api.example.com/v1\u200b', 'https://api.example.com'],
	['HTTP://API.example.com:8080/a/b', 'http://api.example.com:8080/a/b'],
	['https://api.example.com:443', 'https://api.example.com'],
	['http://[::1]:80/', 'http://[::1]'],
	...['v1', 'v1/', 'v1/videos', 'v1/videos/generations', 'v1/tasks'].map((end) => [
		`https://e.com/video/${end}`,
		'https://e.com/video',
	]),
	['https://e.com/v1/models', 'https://e.com/v1/models'],
])('the Base URL %j is used as %j', (text, expected) => expect(cleanBaseUrl(text)).toBe(expected));

test.each([
	...[undefined, null, 7, '', 'api.example.com', '//api.example.com', 'ftp://api.example.com'],
	...['javascript:https://api.example.com', 'https://', 'https://e.com/?key=1'],
	...['https://e.com/#top', 'https://me@e.com', 'https://me:secret@e.com', 'https://e .com'],
])('%j is no Base URL', (text) => expect(cleanBaseUrl(text)).toBeUndefined());

test.each([
	[' key\r\n', 'key'],
	['\tkey', 'key'],
	['\u200bkey\u2060', 'key'],
	['Bearer key', 'key'],
	[' bearer  \tkey', 'key'],
	['', ''],
	[undefined, ''],
	[7, ''],
])('an API key given as %j is sent as %j', (text, expected) =>
	expect(cleanApiKey(text)).toBe(expected),
);
