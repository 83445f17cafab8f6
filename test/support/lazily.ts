/** Stands for an object that is made later, as in `beforeAll`; may be used once that is there. */
export const lazily = <T extends object>(current: () => T): T =>
	new Proxy<T>(Object.create(null), { get: (_, name) => Reflect.get(current(), name) });
