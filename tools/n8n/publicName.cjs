/**
 * Lets a Node process find a service on this machine under a name of the internet, as services of
 * others have one. Loaded with --require.
 */
const dns = require('node:dns');

const { lookup } = dns;
const placeOf = (name) => (name === process.env.PUBLIC_NAME ? '127.0.0.1' : name);
dns.lookup = (name, ...rest) => lookup.call(dns, placeOf(name), ...rest);
