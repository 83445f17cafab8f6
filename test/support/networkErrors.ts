/** A call of the system that failed, such as `connect ECONNREFUSED`; with an address if it has one. */
export interface FailedCall {
	syscall: string;
	code: string;
	address?: string;
}

const textOf = ({ syscall, code, address }: FailedCall): string =>
	[syscall, code, ...(address === undefined ? [] : [`${address}:443`])].join(' ');

/** As Node itself throws it. */
export const failedCall = (call: FailedCall): Error =>
	Object.assign(new Error(textOf(call)), { ...call, errno: -111 });

/** As Node throws it when it has tried each address of a host. */
const failedCalls = ([first, ...others]: [FailedCall, ...FailedCall[]]): Error =>
	others.length === 0
		? failedCall(first)
		: Object.assign(new AggregateError([first, ...others].map(failedCall)), { code: first.code });

/** As n8n throws it in place of what a request failed with, in words of its own. */
const inWordsOfN8n = (code: string, more: object): Error =>
	Object.assign(new Error('The service is not reachable'), { httpCode: code, ...more });

type Calls = [FailedCall, ...FailedCall[]];

const joined = (calls: Calls): string => calls.map(textOf).join(' | ');

/** What `httpRequestWithAuthentication` of each version was seen to reject with. */
export const WRAPPED_BY: Record<string, (calls: Calls) => Error> = {
	'1.123.81': (calls) =>
		inWordsOfN8n(calls[0].code, {
			messages: calls.length === 1 ? [joined(calls), joined(calls)] : [joined(calls)],
		}),
	'2.0.3': (calls) =>
		inWordsOfN8n(
			calls[0].code,
			calls.length === 1
				? { messages: [joined(calls), joined(calls)] }
				: { messages: ['Error', 'Error'], description: joined(calls) },
		),
	'2.41.1': (calls) => {
		const { code } = calls[0];
		const cause = failedCalls(calls);
		const ofAxios = Object.assign(new Error(cause.message, { cause }), { code });
		return inWordsOfN8n(code, { messages: [joined(calls)], cause: ofAxios });
	},
};
