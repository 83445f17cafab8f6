import { createTextVideo } from '../../../nodes/Videogen/fields/createTextVideo';
import { planned, requestOf } from './planned';

describe('Callback URL', () => {
	const RESUME = 'https://n8n.example.com/webhook-waiting/231/abc?signature=1';
	const requestWith = async (callbackUrl: string, waitForCompletion: boolean) =>
		await requestOf(createTextVideo, { waitForCompletion, options: { callbackUrl } });

	test.each([RESUME, 'https://n8n.example.com/sub/form-waiting/231'])(
		'resumes no Wait node while the node waits itself: %s',
		async (url) => {
			await expect(requestWith(url, true)).rejects.toThrow(
				/^Callback URL and Wait for Completion: "/,
			);
			expect((await requestWith(url, false)).callback_url).toBe(url);
		},
	);

	test('may be any other while the node waits', async () => {
		const url = 'https://n8n.example.com/webhook/webhook-waiting';
		expect((await requestWith(url, true)).callback_url).toBe(url);
	});
});

describe('Model Parameters', () => {
	test.each([
		[{ modelParams: '{"seed": 7}' }, { seed: 7 }],
		[
			{ modelParams: { seed: 7 }, webSearch: 'true' },
			{ seed: 7, web_search: true },
		],
		[{ webSearch: false }, { web_search: false }],
		[{ modelParams: ' ' }, undefined],
	])('%j are sent as %j', async (options, sent) => {
		expect(await requestOf(createTextVideo, { options })).toEqual({
			model: 'videogen-2.5-text-to-video',
			prompt: 'A fox',
			duration: 5,
			quality: '720p',
			...(sent && { model_params: sent }),
		});
	});

	test.each(['{"seed": 7', '[7]', 7, '{"web_search": "yes"}', { style: '{{ $json.style }}' }])(
		'are not %j',
		async (modelParams) => {
			await expect(planned(createTextVideo, { options: { modelParams } })).rejects.toThrow(
				/^Model Parameters: /,
			);
		},
	);
});
