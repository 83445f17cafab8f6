import { endedBy } from '../../../nodes/Videogen/ground/n8n';

const { signal: own } = new AbortController();
const { signal: ofExecution } = new AbortController();

/** As n8n asks its context when it sends a request. */
const signalIn = (context: object): unknown =>
	'getExecutionCancelSignal' in context && typeof context.getExecutionCancelSignal === 'function'
		? context.getExecutionCancelSignal()
		: undefined;

test('a request ends by its own signal, not by that of the execution', () => {
	const context = { getExecutionCancelSignal: () => ofExecution };
	expect(signalIn(endedBy(own, context))).toBe(own);
});

test('everything else is that of the context', () => {
	const context = { helpers: {} };
	const proxy = endedBy(own, context);
	expect(proxy.helpers).toBe(context.helpers);
	expect('helpers' in proxy && !('others' in proxy)).toBe(true);
});
