import { type Fault, DEFAULT_API_KEY } from '../simulator';

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
const redirect = (status: number): Fault => ({ kind: 'redirect', status, location: '/elsewhere' });
const misplaced = (status: number): Fault => ({ kind: 'misplaced', status });

/**
 * Which answers are a no stands here by hand, after the contract (docs/service.md, section 7), the
 * register of HTTP statuses and the words of proxies, and not after what the node makes of them.
 *
 * Left out on purpose: a clear no, such as 400, with a task made all the same. It contradicts the
 * contract, and nobody could tell it from an honest 400, so no rule of the node could be right.
 */
export const FAULTS: FaultCase[] = [
	{ name: '429', fault: inJson(429), saysNo: true, asksToWait: true },
	...[400, 422].map((code): FaultCase => ({
		name: `${code}`,
		fault: inJson(code),
		saysNo: true,
		endsReads: true,
	})),
	{ name: '401', fault: inJson(401), saysNo: true },
	{ name: '404', fault: inJson(404), saysNo: true },
	...[301, 302, 307, 308].map((code): FaultCase => ({
		name: `${code}`,
		fault: redirect(code),
		saysNo: true,
		endsReads: true,
	})),
	{ name: '501', fault: inJson(501), saysNo: true },
	{ name: '503 in JSON', fault: inJson(503), saysNo: true },
	{ name: '521', fault: inText(521), saysNo: true },
	{ name: '523', fault: inText(523), saysNo: true },
	// From here on a task may have been made.
	{ name: '303', fault: redirect(303), endsReads: true },
	...[408, 425].map((code) => ({ name: `${code}`, fault: inJson(code) })),
	...[460, 499].map((code): FaultCase => ({
		name: `${code}`,
		fault: inText(code),
		endsReads: true,
	})),
	...[500, 502, 504].map((code) => ({ name: `${code} in JSON`, fault: inJson(code) })),
	...[500, 503, 520, 522, 524, 530, 598, 599].map((code) => ({
		name: `${code} in plain text`,
		fault: inText(code),
	})),
	{ name: '500 with a record', fault: misplaced(500), withoutTask: madeUp(500) },
	{
		name: '409 for its order key',
		fault: answered(409, { error: { code: 'paid_outcome_unknown' } }),
		endsReads: true,
	},
	{ name: 'reset', fault: { kind: 'reset' } },
	{ name: 'a read that is refused', fault: { kind: 'reset', code: 'ECONNREFUSED' } },
	{ name: 'hang', fault: { kind: 'hang' } },
	{ name: 'empty', fault: { kind: 'empty' } },
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
	saysNo: true,
};

/** For random scenarios alone. */
export const RARE_FAULTS: FaultCase[] = [
	...[0, 1, 30].map((retryAfter): FaultCase => ({
		name: `429 with Retry-After: ${retryAfter}`,
		fault: { kind: 'status', status: 429, retryAfter },
		saysNo: true,
	})),
	...[402, 403].map((code): FaultCase => ({ name: `${code}`, fault: inJson(code), saysNo: true })),
	...[302, 400, 404, 409, 429, 501].flatMap((code): FaultCase[] => [
		{ name: `${code} with a record`, fault: misplaced(code), withoutTask: madeUp(code) },
		{ name: `${code} with an invented record`, fault: madeUp(code), saysNo: true },
	]),
	...[303, 408, 425, 499, 502, 504, 520].map((code) => ({
		name: `${code} with a record`,
		fault: misplaced(code),
		withoutTask: madeUp(code),
	})),
	{ name: 'HTML with 502', fault: { kind: 'html', status: 502 } },
	{ name: "a firewall's 403", fault: { kind: 'html', status: 403 }, saysNo: true },
	{ name: "a proxy's 407", fault: inText(407), saysNo: true },
	{ name: 'a connect that times out', fault: { kind: 'noConnection' }, saysNo: true },
	{ name: 'a read that times out', fault: { kind: 'reset', code: 'ETIMEDOUT' } },
	{
		name: '200 with an error',
		fault: answered(200, { code: -2001, message: QUOTING, data: null }),
	},
	{
		name: 'an envelope with an id of its own',
		fault: {
			kind: 'misplaced',
			status: 200,
			wrapper: 'data',
			beside: { id: 'req_1', status: 'success' },
		},
		withoutTask: answered(200, { id: 'req_1', success: false, message: QUOTING }),
	},
	{ name: 'broken JSON', fault: { kind: 'invalidJson' } },
	{ name: 'cut off', fault: { kind: 'cutOff' } },
];
