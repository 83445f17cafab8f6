import type { IExecuteFunctions } from 'n8n-workflow';
import type { ItemPlan } from '../../../nodes/Videogen/run/plan';
import { InvalidParameter } from '../../../nodes/Videogen/parameters/invalidParameter';
import { createSettingsFrom } from '../../../nodes/Videogen/parameters/options';
import { resumeUrlFor } from '../../../nodes/Videogen/run/resumeUrl';

const request = { model: 'videogen-2.5-text-to-video', prompt: 'A fox', duration: 5 } as const;

/** An item that asks for a video and for a rest. */
const item: ItemPlan = {
	ask: {
		item: 0,
		wishes: [],
		request,
		wait: {
			intervalMs: 5_000,
			timeoutMs: 600_000,
			method: 'callback',
			onTimeout: 'error',
			onFailure: 'error',
		},
	},
	create: { request, toSend: () => request, settings: createSettingsFrom({}) },
};

const n8nWith = (resumeUrl: string, settings: { executeOnce?: boolean } = {}): IExecuteFunctions =>
	Object.assign(Object.create(null), {
		getNode: () => ({ type: 'n8n-nodes-videogen-tasks.videogen', ...settings }),
		getMode: () => 'trigger',
		getKnownNodeTypes: () => ({}),
		continueOnFail: () => true,
		evaluateExpression: () => resumeUrl,
	});

test.each([
	[
		'https://n8n.example.com/webhook-waiting/7',
		'https://n8n.example.com/webhook-waiting/7/videogen',
	],
	[
		'https://example.com/tools/n8n/webhook-waiting/7?signature=a%2Fb',
		'https://example.com/tools/n8n/webhook-waiting/7/videogen?signature=a%2Fb',
	],
])('the service calls back %s below its path', (resumeUrl, callbackUrl) => {
	expect(resumeUrlFor(n8nWith(resumeUrl), [item], 'https://api.example.com')).toBe(callbackUrl);
});

test('a node with Execute Once does not rest, as n8n would pass on the items that it left out', () => {
	const n8n = n8nWith('https://n8n.example.com/webhook-waiting/7', { executeOnce: true });
	expect(() => resumeUrlFor(n8n, [item], 'https://api.example.com')).toThrow(InvalidParameter);
});
