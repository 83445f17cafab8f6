import { ALL_CALLS, CREATES, CREATES_AFTER_FAILURE, playMatrix } from './support/faultMatrix';

/** A person presses Retry. */
const RETRY = { retries: 2, calls: ALL_CALLS } as const;

playMatrix([
	{ way: 'Retry execution', ...RETRY, hasAllStatuses: true },
	{
		way: 'Retry execution, with an expression that changes by itself',
		...RETRY,
		changesByItself: true,
	},
	{
		way: 'Retry execution of a click',
		...RETRY,
		isRetryOfClick: true,
		calls: [...CREATES, ...CREATES_AFTER_FAILURE],
	},
	{ way: 'Retry execution in another process', ...RETRY, isNewProcess: true },
]);
