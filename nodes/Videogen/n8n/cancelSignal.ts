const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/**
 * The context with another cancel signal. From 1.123 to 2.41, n8n ends a request with a credential by
 * the signal of the context, and ignores one in the request's options; a webhook has no signal.
 */
export const endedBy = <Context extends object>(end: AbortSignal, context: Context): Context =>
	new Proxy(context, {
		has: (target, name) => name === CANCEL_SIGNAL || Reflect.has(target, name),
		get: (target, name): unknown =>
			name === CANCEL_SIGNAL ? () => end : Reflect.get(target, name),
	});
