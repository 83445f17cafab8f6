import {
	isBalance,
	isContent,
	quoteOf,
	reasonIn,
	reportedError,
	providerMessageIn,
} from '../../../nodes/Videogen/service/providerMessage';

const messageIn = (payload: unknown) => providerMessageIn(payload).serviceMessage;

describe('the words of the service', () => {
	test.each<[unknown, string]>([
		['no', 'no'],
		[{ message: 'no', error: 'other' }, 'no'],
		[{ error: 'invalid_request', error_description: 'no' }, 'no'],
		[{ type: 'about:blank', title: 'no', status: 400 }, 'no'],
		[{ detail: [{ loc: ['body'], msg: 'no', type: 'value_error' }] }, 'no'],
		[{ error: { code: 'no' } }, 'no'],
		[{ message: ' ', error: { message: 'no' } }, 'no'],
		[{ errors: ['one', 'two', 'three', 'four'] }, 'one; two; three'],
		[{ errors: [{ message: 'one' }, {}, { detail: 'two' }] }, 'one; two'],
		['a\r\n\tb\u0000\u001b[0m  c\u009f', 'a b [0m c'],
		['é'.repeat(301), `${'é'.repeat(300)}…`],
		['🦊'.repeat(10_000), `${'🦊'.repeat(300)}…`],
	])('%j says %j', (payload, expected) => expect(messageIn(payload)).toBe(expected));

	test.each([undefined, null, '', ' ', '\u0000', {}, [], { error: {} }, true, { message: null }])(
		'%j says nothing',
		(payload) => expect(messageIn(payload)).toBeUndefined(),
	);

	test.each([
		(no: unknown) => ({ error: no }),
		(no: unknown) => ({ code: no }),
		(no: unknown) => [no],
	])('are not looked for without end: %p', (wrap) => {
		let deep: unknown = 'no';
		for (let depth = 0; depth < 1_000; depth += 1) deep = wrap(deep);
		expect(messageIn(deep)).toBeUndefined();
	});

	test.each([
		[{ code: 'a', type: 'b' }, 'a'],
		[{ code: 7 }, '7'],
		[{ code: 400, type: 'content_policy_violation' }, 'content_policy_violation'],
		[{ code: 503, type: 'model_not_found' }, 'model_not_found'],
		[{ code: 'x', details: { reason: 'sensitive_content' } }, 'sensitive_content'],
		[[{ code: 'content_filter' }], 'content_filter'],
		[{ code: 400, reason: 'The policy says no' }, '400'],
		[{ reason: 'Two words' }, undefined],
		[{ code: [], type: true, error: { code: 7 } }, '7'],
		[{ error: { error: { error: { error: { error: { code: 'deep' } } } } } }, undefined],
		[{ error: { error: { error: { error: { code: 'near' } } } } }, 'near'],
	])('the code of %j is %j', (payload, expected) =>
		expect(providerMessageIn(payload).code).toBe(expected),
	);

	test.each([
		[{ param: 'model' }, 'model'],
		[{ param: 7, error: { error: { param: 'prompt' } } }, 'prompt'],
		[{ field: 'duration', param: null }, 'duration'],
		[{ errors: [{ field: 'quality' }, { field: 'prompt' }] }, 'quality'],
		[{ detail: [{ loc: ['body', 'image_urls', 1], msg: 'no' }] }, 'body.image_urls.1'],
		[{ error: { details: [{ loc: [] }] } }, undefined],
	])('the field that %j is about is %j', (payload, field) =>
		expect(providerMessageIn(payload).param).toBe(field),
	);

	test.each<[unknown, string | undefined]>([
		[{ code: -2001, message: 'No channel', data: null }, 'No channel'],
		[{ success: false, message: 'No' }, 'No'],
		[{ error: { message: 'No' }, id: 'req_1' }, 'No'],
		[{ code: 0, message: 'ok', data: { task_id: 'a' } }, undefined],
		[{ code: 200, message: 'ok' }, undefined],
		[{ code: 'success', message: 'ok', error: null }, undefined],
		[{ success: true, error: false, message: 'ok' }, undefined],
		[{ id: 'task_1', error: '' }, undefined],
		[null, undefined],
	])('in an answer that says all is well, %j, are of an error: %j', (reply, words) =>
		expect(reportedError(reply)).toBe(words),
	);
});

test('the request id that support asks for stays, however long the words are', () => {
	const id = '(request id: 2026-0f)';
	expect(messageIn(`${'No '.repeat(400)}${id}`)).toMatch(
		/^(No )+(N|No)?… \(request id: 2026-0f\)$/,
	);
});

test.each([
	[{}, ''],
	[{ serviceMessage: 'No' }, 'No'],
	[{ code: 'bad_size' }, 'code bad_size'],
	[{ serviceMessage: 'No', code: 'a', param: 'b' }, 'No (code a, field b)'],
	[{ serviceMessage: 'a: b is no', code: 'a', param: 'b' }, 'a: b is no'],
])('%j is quoted as %j', (said, quote) => expect(quoteOf(said)).toBe(quote));

test.each([
	[{ error: { code: 'filtered', message: 'Filtered' }, message: 'Done' }, 'Filtered'],
	[{ error: null, reason: 'Blocked' }, 'Blocked'],
	[{ message: 'The output was blocked' }, 'The output was blocked'],
	[{ results: [] }, undefined],
])('why %j has no results: %j', (record, reason) => expect(reasonIn(record)).toBe(reason));

describe('what an answer is about', () => {
	test.each<[code: string, words: string, 'content' | 'balance' | undefined]>([
		['content_policy_violation', '', 'content'],
		['moderation_blocked', '', 'content'],
		['safety_block', 'It broke', 'content'],
		['image_processing_error', 'Hidden by our safety system', 'content'],
		['image_processing_error', 'The image may contain a real person', undefined],
		['quota_exceeded', 'Our content policy', 'balance'],
		['low_balance', 'See our policy', 'balance'],
		['policy_quota', '', 'content'],
		['AccountOverdueError', '', 'balance'],
		['load_balancer_failed', '', undefined],
		['too_many_endpoints', '', undefined],
		['request_quota_per_minute', '', undefined],
		['RequestRateQuota', '', undefined],
		['insufficient_credits_to_generate', '', 'balance'],
		['resource_exhausted', 'It did not begin', undefined],
		['bad_request', 'Insufficient credits', undefined],
	])('is by the code %s with the words %j: %s', (code, serviceMessage, about) => {
		const said = { code, serviceMessage };
		expect(isContent(said)).toBe(about === 'content');
		expect(isBalance(said)).toBe(about === 'balance');
	});

	test.each<[isSuch: boolean, words: string[]]>([
		[true, ['Blocked by our content policy', 'content_policy_violation', 'NSFW content detected']],
		[true, ['Stopped by moderation', 'Hidden by our Safety System', 'Prohibited content']],
		[false, ['', 'It broke', 'duration must be between 4 and 30', 'Use moderate colours']],
		[false, ['See our rate limit policy', 'The scene is too violent', 'Sensitive to case']],
		[false, ['A face was detected in image 2', 'The text names a trademark']],
		[false, ['content_filter is no switch']],
	])('is the content: %s, by each of %j, under codes that say nothing', (isSuch, words) => {
		for (const code of [undefined, '400', 'bad_request', 'invalid_request_error']) {
			const found = words.map((serviceMessage) => isContent({ code, serviceMessage }));
			expect(found).toEqual(words.map(() => isSuch));
		}
	});
});
