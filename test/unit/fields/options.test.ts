import { createTextVideo } from '../../../nodes/Videogen/operations/createTextVideo';
import { planned, refusalOfPlan, requestOf } from './planned';

describe('Callback URL', () => {
	const RESUME = 'https://n8n.example.com/webhook-waiting/231/abc?signature=1';
	const requestWith = async (callbackUrl: string, waitForCompletion: boolean) =>
		await requestOf(createTextVideo, { waitForCompletion, options: { callbackUrl } });

	test.each([RESUME, 'https://n8n.example.com/sub/form-waiting/231'])(
		'resumes no Wait node while the node waits itself: %s',
		async (url) => {
			const { field, message } = await refusalOfPlan(requestWith(url, true));
			expect(field.displayName).toContain('Callback URL');
			expect(message).toContain('Wait for Completion');
			expect((await requestWith(url, false)).callback_url).toBe(url);
		},
	);

	test('may be any other while the node waits', async () => {
		const url = 'https://n8n.example.com/webhook/webhook-waiting';
		expect((await requestWith(url, true)).callback_url).toBe(url);
	});
});

describe('Model Parameters', () => {
	test.each(['{"seed": 7', '[7]', 7, '{"web_search": "yes"}', { style: '{{ $json.style }}' }])(
		'are not %j',
		async (modelParams) => {
			const { field } = await refusalOfPlan(planned(createTextVideo, { options: { modelParams } }));
			expect(field.displayName).toBe('Model Parameters');
		},
	);
});

test.each([
	['idempotencyKey', 8_192],
	['modelFamily', 1_000],
])('%s names its limit, %i characters, where it is too long', async (name, limit) => {
	const valid = { [name]: 'a'.repeat(limit) };
	expect(await requestOf(createTextVideo, { options: valid })).toBeDefined();
	const tooLong = { [name]: 'a'.repeat(limit + 1) };
	const { advice } = await refusalOfPlan(planned(createTextVideo, { options: tooLong }));
	expect(advice).toContain(`at most ${limit} characters`);
});
