import type { HttpAnswer } from '../../../nodes/Videogen/service/answer';
import { looksLikeHtml, parseJson } from '../../../nodes/Videogen/ground/json';
import {
	codeIn,
	messageIn,
	messageInAnswer,
	paramIn,
	reportedError,
} from '../../../nodes/Videogen/service/errorPayload';

const answerWith = (body: string): HttpAnswer => ({
	statusCode: 200,
	headers: {},
	body,
	json: parseJson(body),
});

describe('the words of the service', () => {
	test.each<[unknown, string]>([
		[4001, '4001'],
		['no', 'no'],
		[{ message: 'no', error: 'other' }, 'no'],
		[{ error: 'invalid_request', error_description: 'no' }, 'no'],
		[{ type: 'about:blank', title: 'no', status: 400 }, 'no'],
		[{ detail: 'no' }, 'no'],
		[{ detail: [{ loc: ['body'], msg: 'no', type: 'value_error' }] }, 'no'],
		[{ error: { code: 'no' } }, 'no'],
		[[{ message: 'no' }], 'no'],
		[{ message: '', error: 'no' }, 'no'],
		[{ message: ' ', error: { message: 'no' } }, 'no'],
		[{ errors: ['one', 'two', 'three', 'four'] }, 'one; two; three'],
		[{ errors: [{ message: 'one' }, {}, { detail: 'two' }] }, 'one; two'],
		[{ error: { error: { error: 'no' } } }, 'no'],
		[{ errors: [], code: 'bad' }, 'bad'],
		['a\r\n\tb\u0000\u001b[0m  c\u009f', 'a b [0m c'],
		['é'.repeat(300), 'é'.repeat(300)],
		['é'.repeat(301), `${'é'.repeat(300)}…`],
		['🦊'.repeat(10_000), `${'🦊'.repeat(300)}…`],
	])('%j says %j', (payload, expected) => expect(messageIn(payload)).toBe(expected));

	test.each([undefined, null, '', ' ', '\u0000', {}, [], { error: {} }, true, { message: null }])(
		'%j says nothing',
		(payload) => expect(messageIn(payload)).toBeUndefined(),
	);

	const wraps: Array<[string, (inner: unknown) => unknown]> = [
		['errors', (inner) => ({ error: inner })],
		['codes', (inner) => ({ code: inner })],
		['lists', (inner) => [inner]],
	];
	test.each(wraps)('are not looked for without end, in %s', (_what, wrap) => {
		let deep: unknown = 'no';
		for (let depth = 0; depth < 1_000; depth += 1) deep = wrap(deep);
		expect(messageIn(deep)).toBeUndefined();
	});

	test.each([
		['Service down', 'Service down'],
		['"no"', 'no'],
		['{"error":"no"}', 'no'],
		['{"error":', '{"error":'],
	])('the body %j says %j', (body, expected) =>
		expect(messageInAnswer(answerWith(body))).toBe(expected),
	);

	test.each([' \n<!doctype HTML>', '<!-- made by a gateway -->\n<html>', '<?xml version="1.0"?>'])(
		'the page %j says nothing',
		(page) => {
			expect(looksLikeHtml(page)).toBe(true);
			expect(messageInAnswer(answerWith(page))).toBeUndefined();
		},
	);

	test.each(['', '{"a":"<html>"}', 'no <html>'])('%j is no page', (text) =>
		expect(looksLikeHtml(text)).toBe(false),
	);

	test.each([
		[{ code: 'a', type: 'b' }, 'a'],
		[{ code: 7 }, '7'],
		[{ type: 'b' }, 'b'],
		[{ error: { code: 'c' } }, 'c'],
		['text', undefined],
		[null, undefined],
		[{ code: {} }, undefined],
		[{ code: 400, type: 'content_policy_violation' }, 'content_policy_violation'],
		[{ code: 'bad_request', reason: 'moderation_blocked' }, 'moderation_blocked'],
		[{ code: 'x', details: { reason: 'sensitive_content' } }, 'sensitive_content'],
		[[{ code: 'content_filter' }], 'content_filter'],
		[{ code: 400, reason: 'The policy says no' }, '400'],
		[{ reason: 'Two words' }, undefined],
		[{ code: '\u0000', type: 'broken' }, 'broken'],
		[{ code: [], type: true, error: { code: 7 } }, '7'],
		[{ error: { error: { error: { error: { error: { code: 'deep' } } } } } }, undefined],
		[{ error: { error: { error: { error: { code: 'near' } } } } }, 'near'],
	])('the code of %j is %j', (payload, expected) => expect(codeIn(payload)).toBe(expected));

	test.each([
		[{ param: 'model' }, 'model'],
		[{ error: { param: 'prompt' } }, 'prompt'],
		[{ param: 7, error: { error: { param: 'prompt' } } }, 'prompt'],
		[{ field: 'duration', param: null }, 'duration'],
		[{ errors: [{ field: 'quality' }, { field: 'prompt' }] }, 'quality'],
		[{ detail: [{ loc: ['body', 'image_urls', 1], msg: 'no' }] }, 'body.image_urls.1'],
		[{ error: { details: [{ loc: [] }] } }, undefined],
		['model', undefined],
		[{ error: 'model' }, undefined],
	])('the field that %j is about is %j', (payload, field) => expect(paramIn(payload)).toBe(field));

	test.each<[unknown, string | undefined]>([
		[{ code: -2001, message: 'No channel', data: null }, 'No channel'],
		[{ code: '500', msg: 'Broken' }, 'Broken'],
		[{ success: false, message: 'No' }, 'No'],
		[{ error: { message: 'No' }, id: 'req_1' }, 'No'],
		[{ error: 'No' }, 'No'],
		[{ code: 0, message: 'ok', data: { task_id: 'a' } }, undefined],
		[{ code: 200, message: 'ok' }, undefined],
		[{ code: 'success', message: 'ok', error: null }, undefined],
		[{ success: true, error: false, message: 'ok' }, undefined],
		[{ id: 'task_1', error: '' }, undefined],
		[{ error: {} }, undefined],
		['text', undefined],
		[null, undefined],
	])('in an answer that says all is well, %j, are of an error: %j', (reply, words) =>
		expect(reportedError(reply)).toBe(words),
	);
});
