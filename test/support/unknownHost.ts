import dns from 'node:dns';

/** The URL of a host that is not found; until mocks are restored, no server is asked for any. */
export function urlOfUnknownHost(): string {
	const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
	jest.spyOn(dns, 'lookup').mockImplementation((_host: string, ...more: unknown[]) => {
		const tell = more.at(-1);
		if (typeof tell === 'function')
			process.nextTick(() => Reflect.apply(tell, undefined, [notFound]));
	});
	return 'http://does-not-exist.invalid';
}
