import { type Fault, DEFAULT_API_KEY } from '../../../tools/simulator';

/** What comes in place of a task record, from the service itself or from something on the way. */
export interface FaultCase {
	name: string;
	fault: Fault;
	/** For creates that make no task, where it has to be another fault. */
	withoutTask?: Fault;
	/** To a create it is a clear no, in whatever words: no task was made. */
	saysNo?: true;
	/** To a create it is a no that asks to wait: the node itself sends it again. */
	asksToWait?: true;
	/** To a read it says that no other answer will come. */
	endsReads?: true;
	/** Whether it is another status of the case before, which some ways of running leave out. */
	isVariant?: true;
}

/** The id of the record that is played as `json`: there is no such task. */
export const MADE_UP_ID = 'task_00000000000000000000none';

const madeUp = (status = 200): Fault => ({
	kind: 'json',
	status,
	body: { id: MADE_UP_ID, status: status === 200 ? 'queued' : 'pending' },
});

const answered = (status: number, body: unknown): Fault => ({ kind: 'status', status, body });

/** Some services quote what they were sent. */
const QUOTING = `It was sent with ${DEFAULT_API_KEY}.`;
const inJson = (status: number): Fault => answered(status, { error: { message: QUOTING } });
const inText = (status: number): Fault => answered(status, QUOTING);
const sentAsJson = (body: string): Fault => {
	const headers = { 'content-type': 'application/json' };
	return { kind: 'raw', status: 200, headers, body };
};
const redirect = (status: number): Fault => ({ kind: 'redirect', status, location: '/elsewhere' });
const misplaced = (status: number): Fault => ({ kind: 'misplaced', status });

/** One case for each status. All of them mean the same. */
const cases = (
	codes: number[],
	faultOf: (status: number) => Fault,
	more: Partial<FaultCase> = {},
	where = '',
): FaultCase[] =>
	codes.map((code, index) => ({
		name: `${code}${where}`,
		fault: faultOf(code),
		...more,
		...(index > 0 && { isVariant: true }),
	}));
const NO = { saysNo: true } as const;
const NO_FOR_GOOD = { ...NO, endsReads: true } as const;

/**
 * Which answers are a no stands here by hand, after the contract (docs/internals/service-contract.md, section 7), the
 * register of HTTP statuses and the words of proxies, and not after what the node makes of them.
 *
 * Left out on purpose: a clear no, such as 400, with a task made all the same. It contradicts the
 * contract, and nobody could tell it from an honest 400, so no rule of the node could be right.
 */
export const FAULTS: FaultCase[] = [
	{ name: '429', fault: inJson(429), ...NO, asksToWait: true },
	...cases([400, 422], inJson, NO_FOR_GOOD),
	...cases([401], inJson, NO),
	...cases([404], inJson, NO),
	...cases([301, 302, 307, 308], redirect, NO_FOR_GOOD),
	...cases([501], inJson, NO),
	...cases([503], inJson, NO, ' in JSON'),
	// From here on a task may have been made.
	...cases([303], redirect, { endsReads: true }),
	...cases([408, 425], inJson),
	...cases([460, 499], inText, { endsReads: true }),
	...cases([500, 502, 504], inJson, {}, ' in JSON'),
	...cases([503, 500, 520, 521, 522, 523, 524, 530, 598, 599], inText, {}, ' in plain text'),
	{ name: '500 with a record', fault: misplaced(500), withoutTask: madeUp(500) },
	{
		name: '409 for its idempotency key',
		fault: answered(409, { error: { code: 'paid_outcome_unknown' } }),
		endsReads: true,
	},
	{ name: 'reset', fault: { kind: 'reset' } },
	{ name: 'a read that is refused', fault: { kind: 'reset', code: 'ECONNREFUSED' } },
	{ name: 'hang', fault: { kind: 'hang' } },
	{ name: 'empty', fault: sentAsJson('') },
	{ name: 'HTML', fault: { kind: 'html' } },
	{ name: 'wrong JSON', fault: answered(200, { data: QUOTING }) },
	{
		name: 'unknown status',
		fault: { kind: 'unknownStatus', status: 'queued' },
		withoutTask: madeUp(),
	},
	{
		name: 'missing id',
		fault: { kind: 'merge', fields: { id: undefined } },
		withoutTask: answered(200, { status: 'pending', progress: 0 }),
	},
];

/** The status with which creates are refused for their content here, and nothing else is. */
export const MODERATED_STATUS = 451;
export const MODERATED: FaultCase = {
	name: 'refused for its content',
	fault: answered(MODERATED_STATUS, { error: { code: 'moderation_blocked' } }),
	...NO,
};

/** For random scenarios alone. */
export const RARE_FAULTS: FaultCase[] = [
	...[0, 1, 30].map((retryAfter): FaultCase => ({
		name: `429 with Retry-After: ${retryAfter}`,
		fault: { kind: 'status', status: 429, retryAfter },
		...NO,
	})),
	...cases([402, 403], inJson, NO),
	...[302, 400, 404, 409, 429, 501].flatMap((code): FaultCase[] => [
		{ name: `${code} with a record`, fault: misplaced(code), withoutTask: madeUp(code) },
		{ name: `${code} with an invented record`, fault: madeUp(code), ...NO },
	]),
	...[303, 408, 425, 499, 502, 504, 520].map((code) => ({
		name: `${code} with a record`,
		fault: misplaced(code),
		withoutTask: madeUp(code),
	})),
	{ name: 'HTML with 502', fault: { kind: 'html', status: 502 } },
	{ name: "a firewall's 403", fault: { kind: 'html', status: 403 }, ...NO },
	{ name: "a proxy's 407", fault: inText(407), ...NO },
	{ name: 'a connect that times out', fault: { kind: 'noConnection' }, ...NO },
	{ name: 'a read that times out', fault: { kind: 'reset', code: 'ETIMEDOUT' } },
	{
		name: '200 with an error',
		fault: answered(200, { code: -2001, message: QUOTING, data: null }),
	},
	{
		name: 'an envelope with an id of its own',
		fault: { kind: 'misplaced', status: 200, beside: { id: 'req_1', status: 'success' } },
		withoutTask: answered(200, { id: 'req_1', success: false, message: QUOTING }),
	},
	{ name: 'broken JSON', fault: sentAsJson('{"id":"task_') },
	{ name: 'cut off', fault: { kind: 'cutOff' } },
];
