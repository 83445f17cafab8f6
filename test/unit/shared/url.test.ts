import { isLocalHost, whyUnreachable } from '../../../nodes/Videogen/shared/url';

/** As a URL has it: numbers in their usual form, names in lower case. */
const isLocal = (host: string): boolean => isLocalHost(new URL(`http://${host}/`).hostname);

/** First and last address of each range, and the ones just before and behind it. */
const IPV4_RANGES = [
	['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
	['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
	['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
	['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
	['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
	['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
	// Multicast, and reserved: the last there are.
	['224.0.0.0', '255.255.255.255', '223.255.255.255', '9.9.9.9'],
] as const;

test.each([
	...IPV4_RANGES,
	['[fc00::1]', '[fdff::1]', '[fbff::1]', '[fe00::1]'],
	['[fe80::1]', '[febf::1]', '[fe7f::1]', '[fec0::1]'],
	['[ff00::1]', '[ffff::1]', '[fec0::1]', '[fec0::1]'],
	['[2002::1]', '[2002:ffff::1]', '[2001:ffff::1]', '[2003::1]'],
	['[64:ff9b::1]', '[64:ff9b:1::1]', '[64:ff9a::1]', '[64:ff9c::1]'],
] as const)('addresses from %s to %s are local', (first, last, before, behind) => {
	expect([first, last].map(isLocal)).toEqual([true, true]);
	expect([before, behind].map(isLocal)).toEqual([false, false]);
});

test.each(IPV4_RANGES)('%s is also local as IPv6, but not as part of a name', (first) => {
	expect(isLocal(`[::ffff:${first}]`)).toBe(true);
	expect(isLocal(`${first}.example.com`)).toBe(false);
	expect(isLocal(`a${first}.example.com`)).toBe(false);
});

test.each([
	...['localhost', 'LOCALHOST:5678', 'n8n', 'my-machine:5678', 'app.localhost', 'nas.local'],
	...['nas.local.', 'host.docker.internal', 'n8n.lan', 'n8n.home', 'n8n.home.arpa'],
	...['n8n.localdomain', '0.0.0.0', '127.1', '2130706433', '0x7f.1', '[::1]', '[::]'],
	...['[::7f00:1]', '[::2]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]'],
])('%s is local', (host) => expect(isLocal(host)).toBe(true));

test.each([
	...['example.com', 'localhost.example.com', 'local.example', 'notlocal.com'],
	...['nas.local.example.com', 'home.example.com', '8.8.8.8', '[2001:db8::1]', '[2001:fc00::1]'],
	...['[1::]', '[1::ffff:7f00:1]'],
])('%s can be reached from outside', (host) => expect(isLocal(host)).toBe(false));

test('no host at all is local', () => expect(isLocalHost('')).toBe(true));

const OUTSIDE = 'https://api.example.com/video';
const NOT_SET = "n8n's own URL is not set.";
const localUrl = (url: string) => `n8n's own URL, ${url}, can only be opened in its own network.`;
test.each([
	['http://localhost:5678/a?token=b', OUTSIDE, localUrl('http://localhost:5678')],
	['http://[::1]:5678', OUTSIDE, localUrl('http://[::1]:5678')],
	['', OUTSIDE, NOT_SET],
	['n8n.example.com', OUTSIDE, NOT_SET],
	['http://localhost:5678', 'http://gateway:8080/v1', undefined],
	['https://n8n.example.com', OUTSIDE, undefined],
	['https://n8n.example.com', 'http://localhost:8080', undefined],
] as const)('an n8n at %j cannot be reached by the service at %s: %s', (n8n, service, why) =>
	expect(whyUnreachable(n8n, service)).toBe(why),
);
