/**
 * Loaded into n8n before anything else: writes down, one a line, what the process connects to and
 * which names it looks up. Node's own HTTP, TLS and fetch all go through here. A service on this
 * machine is found under a name of the internet, too, as services of others have one.
 *
 * Usage: CONTACT_NOTES=<file> PUBLIC_NAME=<name> node --require contactNotes.cjs ...
 */
const dns = require('node:dns');
const { appendFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');

const { CONTACT_NOTES, PUBLIC_NAME } = process.env;
const note = (line) => appendFileSync(CONTACT_NOTES, `${line}\n`);
const placeOf = (name) => (name === PUBLIC_NAME ? '127.0.0.1' : name);

/** The ways to call `connect`: with options, with a port and a host, with a path. */
function targetOf([first, second]) {
	if (Array.isArray(first)) return targetOf(first);
	if (typeof first === 'object') {
		return first.path ?? `${placeOf(first.host) ?? 'localhost'}:${first.port}`;
	}
	if (Number.isNaN(Number(first))) return first;
	return `${typeof second === 'string' ? second : 'localhost'}:${first}`;
}

/** Calls `before` with the arguments of every call of the method, which it may change. */
function precede(holder, name, before) {
	const original = holder[name];
	holder[name] = function (...args) {
		before(args);
		return original.apply(this, args);
	};
	// By these, Node knows how to make a promise of it.
	for (const key of Object.getOwnPropertySymbols(original)) holder[name][key] = original[key];
}

precede(net.Socket.prototype, 'connect', (args) => note(`connect ${targetOf(args)}`));
for (const resolver of [dns, dns.promises]) {
	for (const name of Object.keys(resolver)) {
		if (!/^(lookup|resolve)/.test(name)) continue;
		precede(resolver, name, (args) => {
			args[0] = placeOf(args[0]);
			note(`lookup ${args[0]}`);
		});
	}
}
syncBuiltinESMExports();
