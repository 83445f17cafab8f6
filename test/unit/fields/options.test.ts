import { createTextVideo } from '../../../nodes/Videogen/operations/createTextVideo';
import { planned, refusalOfPlan, requestOf } from './planned';

/** The label of the option that refuses it, and what it says. */
async function refusalOf(options: Record<string, unknown>) {
	const { field, message, advice } = await refusalOfPlan(planned(createTextVideo, { options }));
	return `${field.displayName}: ${message} ${advice}`;
}

test.each(['', 'sub/'])(
	'Callback URL resumes no Wait node while the node waits: /%s',
	async (sub) => {
		for (const kind of ['webhook-waiting', 'form-waiting']) {
			const callbackUrl = `https://n8n.example.com/${sub}${kind}/231/abc?signature=1`;
			expect(await refusalOf({ callbackUrl })).toMatch(/^Callback URL:.*Wait for Completion/);
		}
	},
);

test.each([
	['https://n8n.example.com/webhook-waiting/231', false],
	['https://n8n.example.com/webhook/webhook-waiting', true],
])('Callback URL may be %s where the node waits: %j', async (callbackUrl, waitForCompletion) => {
	const values = { waitForCompletion, options: { callbackUrl } };
	expect(await requestOf(createTextVideo, values)).toMatchObject({ callback_url: callbackUrl });
});

test.each(['{"seed": 7', '[7]', 7, '{"web_search": "yes"}', { style: '{{ $json.style }}' }])(
	'Model Parameters are not %j',
	async (modelParams) => expect(await refusalOf({ modelParams })).toMatch(/^Model Parameters:/),
);

test.each([
	['idempotencyKey', 8_192],
	['modelFamily', 1_000],
])('%s names its limit, %i characters, where it is too long', async (name, limit) => {
	const valid = { [name]: 'a'.repeat(limit) };
	expect(await requestOf(createTextVideo, { options: valid })).toBeDefined();
	const tooLong = { [name]: 'a'.repeat(limit + 1) };
	expect(await refusalOf(tooLong)).toContain(`at most ${limit} characters`);
});
