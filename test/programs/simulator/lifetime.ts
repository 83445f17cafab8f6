import { setMaxListeners } from 'node:events';

/** Ends all that is under way at once; Node would warn of more than ten that listen. */
export function newLifetime(): AbortController {
	const lifetime = new AbortController();
	setMaxListeners(0, lifetime.signal);
	return lifetime;
}
