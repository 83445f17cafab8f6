import {
	type Failure,
	failureOf,
	isCapacity,
	kindOfFailed,
	reasonIn,
	wordsOfFailed,
} from '../../../nodes/Videogen/service/failure';
import type { GenerationRequest } from '../../../nodes/Videogen/service/contract/request';
import type { Message } from '../../../nodes/Videogen/ground/words';
import { taskOf } from '../../programs/support/orders';
import { expectPlain } from '../../programs/support/plainMessage';

const failed = (error?: unknown, status = 'failed') => taskOf('task_1', status, { error });

describe('why a task has no video', () => {
	test.each<[error: unknown, status: string, Failure, kind: string]>([
		[undefined, 'failed', 'failed', 'failed'],
		[undefined, 'FAILURE', 'failed', 'failed'],
		[undefined, 'timeout', 'failed', 'failed'],
		[{ code: 'unknown_error', message: 'It broke' }, 'failed', 'failed', 'failed'],
		[{ code: 'generation_timeout' }, 'failed', 'failed', 'failed'],
		[{ code: 'image_dimension_mismatch' }, 'failed', 'failed', 'failed'],
		[{ code: 'content_policy_violation' }, 'failed', 'moderation', 'moderation'],
		[{ message: 'A real person was found' }, 'error', 'moderation', 'moderation'],
		['Blocked by our safety system', 'failed', 'moderation', 'moderation'],
		[{ code: 'quota_exceeded' }, 'failed', 'balance', 'balance'],
		['Not enough credits', 'failed', 'balance', 'balance'],
		[{ code: 'resource_exhausted' }, 'failed', 'capacity', 'failed'],
		[{ code: 'service_unavailable' }, 'failed', 'capacity', 'failed'],
		['Too many concurrent tasks', 'failed', 'capacity', 'failed'],
		[{ code: 'image_processing_error' }, 'failed', 'input', 'failed'],
		['Failed to download the image', 'failed', 'input', 'failed'],
		[{ code: 'request_cancelled' }, 'cancelled', 'cancelled', 'cancelled'],
		[{ code: 'content_policy_violation' }, 'canceled', 'cancelled', 'cancelled'],
		[undefined, 'expired', 'expired', 'expired'],
	])('%j, with the status %s, is %s, of the kind %s', (error, status, failure, kind) => {
		const task = failed(error, status);
		expect([failureOf(task), kindOfFailed(task)]).toEqual([failure, kind]);
		expect(isCapacity(task)).toBe(failure === 'capacity');
	});
});

describe('what is said of a failed task', () => {
	const WHO_CHARGES = 'Ask your provider whether failed videos cost money.';
	const said = (error: unknown, request?: GenerationRequest, status?: string): Message => {
		const message = wordsOfFailed(failed(error, status), request);
		expect(message.description).toMatch(/^Task task_1 .*\.$/);
		expect(message.description.endsWith(WHO_CHARGES)).toBe(true);
		expectPlain(message);
		return message;
	};
	const MODEL = 'videogen-2.5-reference-to-video';
	const asked = { model: 'videogen-2.5-text-to-video', prompt: 'A fox' };
	const ofImage = { model: MODEL, prompt: 'A fox', image_urls: ['https://e.com/a.png'] };

	test.each<[error: unknown, title: string, advice: string]>([
		[{ code: 'policy', message: 'Flagged.' }, 'refused this video: Flagged', 'Change the prompt'],
		[{ code: 'quota', message: 'No' }, 'did not make this video: No', 'Check the balance'],
		['Not enough credits', 'did not make this video: Not enough credits', 'Check the balance'],
		[
			{ code: 'resource_exhausted', message: 'Full' },
			'had no room for this video: Full',
			'Run this item again later, or fewer at once.',
		],
		[
			{ code: 'image_processing_error', message: 'No access' },
			'could not fetch or read an image, video or audio file: No access',
			'Open their links in a private window',
		],
		[
			{ code: 'x', message: 'No. 5 broke' },
			'did not make this video: No. 5 broke',
			'Run this item again later, or with another prompt or other files.',
		],
		[{ code: 'odd' }, 'did not make this video: odd', 'Run this item again later'],
		[undefined, 'did not make this video and gives no reason', 'Run this item again later'],
	])('with the error %j: what happened, and what to do', (error, title, advice) => {
		const { message, description } = said(error);
		expect(message).toBe(`The service ${title}`);
		expect(description).toContain(advice);
	});

	test('a status that says more than “failed” is the reason where there is no other', () => {
		expect(said(undefined, asked, 'timeout').message).toBe(
			'The service did not make this video: timeout',
		);
		expect(said('No room left', asked, 'timeout').message).toContain(': No room left');
		expect(said(undefined, asked, 'FAILED').message).toContain('gives no reason');
	});

	test('its code is named unless that is all that was said, and the request id only below', () => {
		expect(said({ code: 'odd', message: 'No' }).description).toContain('failed (odd). ');
		expect(said({ code: 'odd' }).description).toContain('failed. ');
		const long = said({ code: 'odd', message: 'It broke (request id: req_42)' });
		expect(long.message).toBe('The service did not make this video: It broke');
		expect(long.description).toContain('Task task_1 failed (odd) (request id: req_42).');
	});

	test.each<[error: unknown, request: GenerationRequest, advice: string]>([
		[{ code: 'policy' }, asked, 'Change the prompt, and run this item again.'],
		[{ code: 'policy' }, ofImage, 'Change the prompt or the files, and run this item again.'],
		[
			{ code: 'policy', param: 'image_urls[0]' },
			ofImage,
			"Change 'Image URLs (1st image)', and run",
		],
		[{ code: 'audio_moderation' }, asked, "Change the prompt, or switch off 'Generate Audio', and"],
		[{ message: 'The sound: copyright' }, asked, "or switch off 'Generate Audio', and run"],
		[
			{ message: 'The sound: copyright' },
			{ ...asked, generate_audio: false },
			'Change the prompt, and run this item again.',
		],
		[{ code: 'unknown_error' }, asked, 'Run this item again later, or with another prompt.'],
		[{ code: 'image_fetch_failed' }, ofImage, 'Open its link in a private window'],
	])('with the error %j, of the request %j: %s', (error, request, advice) =>
		expect(said(error, request).description).toContain(advice),
	);

	test('its input is named as the editor shows it', () =>
		expect(said({ code: 'image_fetch_failed' }, ofImage).message).toContain(
			'could not fetch or read Image URLs',
		));

	test.each([
		['cancelled', 'The service cancelled this video', 'was cancelled at the service'],
		['canceled', 'The service cancelled this video', 'was cancelled at the service'],
		['EXPIRED', 'This video expired at the service', 'expired before it was finished'],
	])('that is %s is told so, whatever its error says', (status, title, what) => {
		const { message, description } = said({ code: 'policy' }, asked, status);
		expect(message).toBe(title);
		expect(description).toContain(`Task task_1 ${what}. To order it again, run this item again.`);
	});
});

describe('why a completed task has no results', () => {
	test.each<[record: object, reason: string]>([
		[{ error: { code: 'filtered', message: 'Filtered' } }, 'Filtered'],
		[{ message: 'The output was blocked' }, 'The output was blocked'],
		[{ results: [], fail_reason: 'Blocked' }, 'Blocked'],
		[{ task_info: { filterReasons: ['A celebrity', 'A logo'] } }, 'A celebrity; A logo'],
		[{ result_data: [{ url: null, moderation: { reason: 'Faces' } }] }, 'Faces'],
		[
			{ message: 'success', usage: { detail: 'Refunded after moderation' } },
			'Refunded after moderation',
		],
		[{ error: null, error_code: 0, message: 'ok', reason: '' }, ''],
		[{ content_filter: true, usage: { billing_rule: 'per_second' } }, ''],
		[{}, ''],
	])('%j says %j', (record, reason) =>
		expect(reasonIn(taskOf('task_1', 'completed', record))).toBe(reason),
	);

	test('is not looked for without end', () => {
		let deep: object = { reason: 'no' };
		for (let depth = 0; depth < 1_000; depth += 1) deep = { deep };
		expect(reasonIn(taskOf('task_1', 'completed', deep))).toBe('');
	});
});
