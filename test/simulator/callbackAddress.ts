import { isIP } from 'node:net';

/** Seen in the field; the contract itself sets no limit. */
const MAX_ADDRESS_LENGTH = 2_048;

/** Loopback, link-local and private networks, as RFC 1918, 3927, 4193 and 4291 set them apart. */
const PRIVATE_ADDRESSES = [
	/^0\./,
	/^10\./,
	/^127\./,
	/^169\.254\./,
	/^172\.(1[6-9]|2\d|3[01])\./,
	/^192\.168\./,
	/^::1?$/,
	/^::ffff:/,
	/^f[cd]/,
	/^fe[89ab]/,
];

const isPrivateHost = (host: string): boolean =>
	isIP(host) > 0
		? PRIVATE_ADDRESSES.some((pattern) => pattern.test(host))
		: host === 'localhost' || host.endsWith('.localhost') || !host.includes('.');

/** Why a public service would not call this address; undefined when it would. */
export function callbackObjection(address: string): string | undefined {
	if (address.length > MAX_ADDRESS_LENGTH) {
		return `must have at most ${MAX_ADDRESS_LENGTH} characters`;
	}
	const { protocol, hostname } = new URL(address);
	if (protocol !== 'https:') return 'must be an https address';
	if (isPrivateHost(hostname.replace(/^\[|\]$/g, ''))) return 'must be reachable from the internet';
	return undefined;
}
