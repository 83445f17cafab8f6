/** Loopback, private and link-local ranges (RFC 1918, 4193, 4291, 6890), and names without a domain. */
const LOCAL_HOSTS = [
	/^(?:0|10|127)\.\d+\.\d+\.\d+$/,
	/^192\.168\.\d+\.\d+$/,
	/^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/,
	/^169\.254\.\d+\.\d+$/,
	/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
	/^\[(?:::1?|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/i,
	/^[^.:[\]]*$/,
	/\.(?:local|localhost|internal|lan|home|localdomain)\.?$/i,
];

/** Whether a URL's host can only be reached from the same machine or network. */
export const isLocalHost = (hostname: string): boolean =>
	LOCAL_HOSTS.some((pattern) => pattern.test(hostname));
