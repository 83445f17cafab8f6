import {
	fileNode,
	triggerNode,
	videogenNode,
	VIDEOGEN_NODE,
} from '../../programs/realN8n/workflows';
import { DEFAULT_API_KEY } from '../../programs/simulator';
import { filesHolding } from '../../programs/support/filesHolding';
import { samplePng } from '../../programs/support/sampleFiles';
import type { Suite } from '../beds/suite';
import { FROM_FILE, jsonFrom, output, resting, saidBy, waiting } from '../vocabulary';

/** So many that a pattern which goes back for each of them would take days. */
const COMMAS = 2_000_000;
const REFERENCES = { operation: 'createReferenceVideo', prompt: 'A fox', ...waiting() };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What visitors and services send that mean no good. */
export function testStrangers(n8n: Suite): void {
	it('a URL of any length keeps n8n from nothing', async () => {
		const imageUrls = `https://a.example/${','.repeat(COMMAS)}x`;
		const execution = await n8n.run({ parameters: { ...REFERENCES, imageUrls } }, 'error');
		expect(saidBy(execution)).toContain('is not a URL');
		expect(n8n.createdBodies()).toEqual([]);
	});

	/** Starts a node that sends a file, and gives the link to it once it has been sent. */
	const sendFile = async (parameters: Record<string, unknown>) => {
		const node = videogenNode({
			parameters: { ...FROM_FILE, ...parameters },
			onError: 'continueRegularOutput',
		});
		const items = [{ data: samplePng().toString('base64') }];
		const chain = n8n.chain([triggerNode(), fileNode('data'), node], { items });
		const executionId = await n8n.start(chain);
		await n8n.sim.waitForRequest(({ path }) => path.endsWith('/generations'));
		return { executionId, body: Object(n8n.createdBodies()[0]) };
	};

	it('a text that looks like a file of somebody else opens nothing', async () => {
		const { executionId } = await sendFile(waiting());
		const owner = await n8n.ended(executionId);
		const file = owner.output('data')[0]?.binary?.data ?? output(owner)[0]?.binary?.data;
		const id = String(/(?:filesystem-v2|database):[\w/:-]+/.exec(owner.raw)?.[0] ?? file?.id);
		expect(id).toContain(':');
		n8n.sim.reset();
		const forged = JSON.stringify([{ mimeType: 'image/png', data: '', id }]);
		const given = { ...REFERENCES, referenceBinaryProperties: '={{ $json.text }}' };
		const wanted = { parameters: given, items: [{ text: forged }] };
		expect(saidBy(await n8n.run(wanted, 'error'))).toContain('is no file of the item');
		const object = { ...FROM_FILE, firstFrameBinaryProperty: '={{ JSON.parse($json.text)[0] }}' };
		const asObject = { parameters: object, items: [{ text: forged }] };
		expect(saidBy(await n8n.run(asObject, 'error'))).toContain('Pass the file along');
		expect(n8n.createdBodies()).toEqual([]);
	});

	it.each([
		['waits', waiting()],
		['rests', resting()],
	])(
		'what it sent as a secret is nowhere when a service gives it back while it %s',
		async (_how, parameters) => {
			n8n.sim.planTask({ outcome: 'never' });
			const { executionId, body } = await sendFile(parameters);
			const link = new URL(body.image_urls[0]);
			const signature = new URL(body.callback_url ?? link).searchParams.get('signature');
			const secrets = [
				String(link.searchParams.get('token')),
				...[DEFAULT_API_KEY, base64(DEFAULT_API_KEY), base64(`Bearer ${DEFAULT_API_KEY}`)],
			];
			const echo = {
				sent: body,
				said: [...secrets, signature],
				url: encodeURIComponent(link.href),
			};
			n8n.sim.script({
				on: 'task',
				times: Infinity,
				fault: { kind: 'merge', fields: { request_log: echo } },
			});
			if (body.callback_url) await n8n.api.waitForStatus(executionId, 'waiting');
			n8n.sim.finish(n8n.onlyTask().id);
			const execution = await n8n.ended(executionId);
			const shown = JSON.stringify(jsonFrom(execution, VIDEOGEN_NODE));
			for (const mark of ['[API key]', '[token]', ...(signature === null ? [] : ['[signature]'])]) {
				expect(shown).toContain(mark);
			}
			// n8n itself stores it, beside the data of nodes.
			if (signature !== null) expect(shown).not.toContain(signature);
			// Executions, the stream of events and the log, which is written at its most talkative level.
			const log = await n8n.bed.log();
			for (const secret of secrets) {
				expect(execution.raw).not.toContain(secret);
				expect(log).not.toContain(secret);
				expect(await filesHolding(n8n.bed.folder, secret)).toEqual([]);
			}
		},
	);
}
