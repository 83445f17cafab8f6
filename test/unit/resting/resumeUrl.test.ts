import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ItemPlan } from '../../../nodes/Videogen/run/plan';
import { createSettingsFrom } from '../../../nodes/Videogen/fields/options';
import { resumeUrlFor } from '../../../nodes/Videogen/run/resumeUrl';
import { RESTING } from '../../programs/support/entries';
import { refusalOf } from '../../programs/support/itemFilesScene';

const request = { model: 'videogen-2.5-text-to-video', prompt: 'A fox', duration: 5 } as const;

/** An item that asks for a video and for a rest. */
const item: ItemPlan = {
	ask: { item: 0, wishes: [], request, wait: RESTING },
	create: {
		request,
		toSend: async () => request,
		files: [],
		usesInline: false,
		settings: createSettingsFrom({}),
	},
};

const SERVICE = { baseUrl: 'https://api.example.com', isPractice: false };

const TYPE = 'n8n-nodes-videogen-tasks.videogen';

const n8nWith = (resumeUrl: string, more: object = {}): IExecuteFunctions =>
	Object.assign(Object.create(null), {
		getNode: () => ({ type: TYPE }),
		getMode: () => 'trigger',
		getKnownNodeTypes: () => ({}),
		continueOnFail: () => true,
		evaluateExpression: () => resumeUrl,
		...more,
	});

test.each([
	['https://n8n.example.com/webhook-waiting/7', ''],
	['https://example.com/tools/n8n/webhook-waiting/7', '?signature=a%2Fb'],
])('the service calls back %s below its path, with %j', (url, query) => {
	const called = resumeUrlFor(n8nWith(url + query), [item], SERVICE);
	expect(called).toBe(`${url}/videogen${query}`);
});

const REACHABLE = 'https://n8n.example.com/webhook-waiting/7';

/** The item as it is with these options. */
const itemWith = (sent: object, options: IDataObject = {}): ItemPlan => ({
	...item,
	create: {
		request: { ...request, ...sent },
		toSend: async () => request,
		files: [],
		usesInline: false,
		settings: createSettingsFrom(options),
	},
});

test('a node rests with as many items as tasks at once', () => {
	const plans = [itemWith({}, { maxConcurrentTasks: 2 }), item];
	expect(resumeUrlFor(n8nWith(REACHABLE), plans, SERVICE)).toBe(`${REACHABLE}/videogen`);
});

test('nobody calls back for practice, so the node does not rest', () => {
	const practice = { baseUrl: 'https://practice.invalid', isPractice: true };
	const local = n8nWith('http://localhost:5678/webhook-waiting/7');
	expect(resumeUrlFor(local, [item], practice)).toBeUndefined();
});

test.each<[string, string, IExecuteFunctions, ItemPlan[]]>([
	[
		'with more items than tasks at once',
		'these are 2 items and Max Concurrent Tasks is 1. Raise',
		n8nWith(REACHABLE),
		[itemWith({}, { maxConcurrentTasks: 1 }), item],
	],
	[
		'with a Callback URL of its own',
		'Callback URL in Options is set. Remove',
		n8nWith(REACHABLE),
		[item, itemWith({ callback_url: 'https://example.com/hook' })],
	],
	[
		'that stops on errors',
		'cannot stop with an error. In the settings of the node, set On Error to Continue.',
		n8nWith(REACHABLE, { continueOnFail: () => false }),
		[item],
	],
	[
		'that gives n8n back the items that it left out',
		'Execute Once is on. Switch it off.',
		n8nWith(REACHABLE, { getNode: () => ({ type: TYPE, executeOnce: true }) }),
		[item],
	],
	[
		'that nobody on the internet can call back',
		'can only be opened in its own network. Whoever runs this n8n can set WEBHOOK_URL',
		n8nWith('http://localhost:5678/webhook-waiting/7'),
		[item],
	],
])('a node %s does not rest, and says what to do', (_what, words, n8n, plans) => {
	const { message, advice } = refusalOf(() => resumeUrlFor(n8n, plans, SERVICE));
	expect(message).toMatch(/^Wait Method: /);
	expect(`${message} ${advice}`).toContain(words);
	expect(advice).toContain('Or choose “Ask Repeatedly');
});
