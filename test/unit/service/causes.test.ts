import { type Cause, causeOf } from '../../../nodes/Videogen/service/causes';

const VAGUE = [undefined, '400', 'bad_request', 'invalid_request_error', 'invalid_parameters'];

describe('a code', () => {
	test.each<[code: string, words: string | undefined, Cause | undefined]>([
		['content_policy_violation', undefined, 'content'],
		['content_filter', undefined, 'content'],
		['sensitive_content', undefined, 'content'],
		['moderation_blocked', undefined, 'content'],
		['input_moderation_failed', undefined, 'content'],
		['safety_block', 'It broke', 'content'],
		['quota_exceeded', 'Safety limit of your plan', 'balance'],
		['low_balance', 'See our policy', 'balance'],
		['no_credits', 'See our policy', 'balance'],
		['resource_exhausted', 'The safety check did not begin', 'capacity'],
		['service_unavailable', 'No moderation now', 'capacity'],
		['too_many_concurrent_tasks', 'Use moderate numbers', 'capacity'],
		['image_processing_error', undefined, 'input'],
		['video_download_failed', 'It broke', 'input'],
		['invalid_image_url', undefined, 'input'],
		['image_fetch_failed', 'The image could not be fetched: a face of our policy', 'input'],
		['image_processing_error', 'Use moderate colours; names are case-sensitive', 'input'],
		// An image can be read, and be refused for what it shows.
		['image_processing_error', 'The image may contain a real person', 'content'],
		['generation_timeout', 'The safety check did not end', undefined],
		['model_not_found', 'See our policy on models', undefined],
		['image_dimension_mismatch', 'Sizes differ', undefined],
		['generation_failed_no_content', 'It broke', undefined],
		['unknown_error', 'It broke', undefined],
	])('%s with the words %j means %s', (code, words, cause) =>
		expect(causeOf(code, words)).toBe(cause),
	);
});

describe('words under a code that says nothing', () => {
	test.each<[words: string, Cause]>([
		...[
			'Blocked by our content policy',
			'content_policy_violation',
			'input_moderation_failed',
			'Hidden by our safety system',
			'The prompt was moderated',
			'Stopped by the content filter',
			'The input image may contain a real person.',
			'Images of real people are not supported',
			'A face was detected in image 2',
			'The prompt describes a minor',
			'This may be an infringement of copyright',
			'The text names a trademark',
			'Nudity is not allowed',
			'The scene is too violent',
			'Violence in the prompt',
			'This is not allowed by our policy',
			'This is against our terms of service',
			'Inappropriate content detected',
			'The image contains sensitive information',
		].map((words): [string, Cause] => [words, 'content']),
		...[
			'Insufficient balance',
			'Not enough credits',
			'Your credit limit was exceeded',
			'credit limit exceeded',
			'The balance of the account is too low.',
			'You have exceeded your current quota',
		].map((words): [string, Cause] => [words, 'balance']),
		...[
			'Too many concurrent tasks',
			'The concurrency limit is reached',
			'The model is overloaded',
			'The server is busy',
			'No capacity left',
		].map((words): [string, Cause] => [words, 'capacity']),
		...[
			'Failed to download image_urls[1]: image',
			'Could not fetch the video',
			'invalid image format',
			'Invalid image',
			'timeout while fetching the file',
			'The image could not be downloaded',
			'Unable to read the audio file',
			'The URL is not accessible',
			'unsupported video type.',
		].map((words): [string, Cause] => [words, 'input']),
	])('%j mean %s', (words, cause) => {
		for (const code of VAGUE) expect(causeOf(code, words)).toBe(cause);
	});

	test.each([
		...['', 'It broke', 'Bad request', 'duration must be between 4 and 30'],
		...[
			'The name is sensitive to case',
			'Names are case-sensitive',
			'A brand new model',
			'content_filter is no switch',
			'See our rate limit policy',
		],
		...['content_filter: must be a boolean', 'A minor version is missing', 'Needs minor changes'],
		...[
			'The interface has changed',
			'Wrong surface',
			'No face in the image',
			'white balance is off',
		],
		...['Use moderate colours', 'Image credit is missing', 'Invalid video duration'],
		...[
			'Failed to process the request',
			'Cannot read properties of undefined',
			'Invalid image ratio',
		],
		...['Unsupported aspect ratio', 'Too many characters', 'The prompt is too long'],
	])('%j mean none of these', (words) => {
		for (const code of VAGUE) expect(causeOf(code, words)).toBeUndefined();
	});
});
