import { LoggerProxy } from 'n8n-workflow';

/** What n8n's engine says to its own log takes longer than most tests; the node's log stays. */
export const silenceEngine = (): void =>
	LoggerProxy.init({
		...{ debug: () => undefined, info: () => undefined },
		...{ warn: () => undefined, error: () => undefined },
	});
