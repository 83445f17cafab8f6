import { randomUUID } from 'node:crypto';
import type { EndedExecution } from '../../../tools/n8n/api';
import { pollUntil } from '../../../tools/n8n/poll';
import { NEWEST } from '../../../tools/n8n/versions';
import {
	type ChainNode,
	ownNode,
	requestNode,
	triggerNode,
	videogenNode,
	waitNode,
} from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY, type Simulator, startSimulator } from '../../../tools/simulator';
import { samplePng, sha256Of } from '../../../tools/simulator/sampleFiles';
import { served, type Suite } from '../support/suite';
import { FROM_FILE, jsonOf } from '../support/workflows';

/** By this name, n8n and its node find the service as one of the internet. */
export const PUBLIC_NAME = 'videogen.example.com';
/** As n8n 1 is, unless it is told otherwise. */
export const IN_MEMORY = { N8N_DEFAULT_BINARY_DATA_MODE: 'default' };

/** After a create, an execution has ended, and n8n has moved or deleted its uploads. */
const MEDIA_DELAY_MS = 3_000;

/**
 * What people bring in: uploads, files of any type, n8n at home.
 * @param isInMemory Whether n8n keeps files in its memory: then images go inside the request alone.
 */
export function testInputs(n8n: Suite, isInMemory = false): void {
	let sim: Simulator;
	let credentials: Record<'videogenApi', Suite['environment']['credential']>;
	let atHome: typeof credentials;
	beforeAll(async () => {
		const options = { taskDurationMs: 60_000, needsMedia: true, mediaDelayMs: MEDIA_DELAY_MS };
		sim = n8n.closeAtEnd(await startSimulator(options));
		const data = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
		credentials = { videogenApi: await n8n.api.createCredential('With media', data) };
		const baseUrl = `http://${PUBLIC_NAME}:${sim.port}`;
		atHome = { videogenApi: await n8n.api.createCredential('Public', { ...data, baseUrl }) };
	});
	beforeEach(() => sim.reset());

	const create = (parameters: Record<string, unknown>): ChainNode =>
		videogenNode({ parameters: { ...FROM_FILE, waitForCompletion: false, ...parameters } });
	/** Publishes these nodes behind a trigger; gives what sends files to it. */
	async function publish(trigger: ChainNode, url: string, nodes: ChainNode[], used = credentials) {
		const chain = n8n.chain([trigger, ...nodes], { credentials: used });
		const saved = await n8n.api.createWorkflow(chain);
		await n8n.api.publish(saved);
		return async (field: string, photos: Buffer[]): Promise<string[]> => {
			const send = async (photo: Buffer) => {
				const body = new FormData();
				body.append(field, new File([new Uint8Array(photo)], 'photo.png', { type: 'image/png' }));
				const sent = async () =>
					(await fetch(`${n8n.api.baseUrl}/${url}`, { method: 'POST', body })).ok || undefined;
				await pollUntil(sent, { what: `n8n to listen at ${url}` });
			};
			await Promise.all(photos.map(send));
			const all = async () => {
				const ids = await n8n.api.executionsOf(saved);
				return ids.length === photos.length ? ids : undefined;
			};
			return await pollUntil(all, { what: 'the executions' });
		};
	}

	const webhook = () => {
		const path = randomUUID();
		const parameters = { httpMethod: 'POST', path, options: {} };
		const trigger = { ...ownNode('Upload', 'webhook', 2, parameters), webhookId: path };
		return [trigger, `webhook/${path}`] as const;
	};
	const form = () => {
		const path = randomUUID();
		const photo = { fieldLabel: 'Photo', fieldType: 'file', multipleFiles: false };
		const parameters = { formTitle: 'Photo', formFields: { values: [photo] }, options: { path } };
		const trigger = { ...ownNode('Upload', 'formTrigger', 2.2, parameters), webhookId: path };
		return [trigger, `form/${path}`] as const;
	};

	/** Fails unless the service has got exactly these images. */
	async function expectFetched(photos: Buffer[], outcome = 'fetched') {
		await sim.waitForMedia(photos.length);
		const got = sim.media.map((media) => [media.outcome, media.contentType, media.sha256]);
		expect(got.sort()).toEqual(
			photos
				.map((photo) => [outcome, expect.stringContaining('image/png'), sha256Of(photo)])
				.sort(),
		);
	}

	const photos = [samplePng([1]), samplePng([2])];
	/** Older versions move only this field, and then delete what all executions have uploaded. */
	const [field, atOnce] =
		n8n.version === NEWEST ? (['photo', photos] as const) : (['data', photos.slice(1)] as const);

	/** The service has got the image inside the request; n8n has it once at most, as it came in. */
	async function expectInline(photo: Buffer, { raw }: EndedExecution) {
		const base64 = photo.toString('base64');
		await expectFetched([photo], 'inline');
		expect(sim.creates()).toHaveLength(1);
		expect(raw.split(base64)).toHaveLength(isInMemory ? 2 : 1);
		for (const place of [raw, await n8n.environment.log()])
			expect(place).not.toContain('data:image');
	}

	describe('where the service cannot reach n8n', () => {
		const playBack = (photo: Buffer) => {
			const input = { image: `data:image/png;base64,${photo.toString('base64')}` };
			sim.script({ on: 'create', fault: { kind: 'merge', fields: { input } } });
		};
		const PLAYED_BACK = [{ input: { image: '[image]' } }];

		it('an image of a node goes inside the request, and is saved nowhere', async () => {
			const photo = samplePng([4]);
			playBack(photo);
			const fetch = requestNode('Fetch', served(sim, 'a.png', photo), 'data');
			const nodes = [triggerNode(), fetch, create({})];
			const execution = await n8n.execute(n8n.chain(nodes, { credentials: atHome }));
			await expectInline(photo, execution);
			expect(jsonOf(execution)).toMatchObject(PLAYED_BACK);
		});

		it.each<[string, () => readonly [ChainNode, string], string]>([
			['a form', form, 'field-0'],
			['a webhook', webhook, field],
		])('an upload of %s goes inside the request, too', async (_, trigger, name) => {
			const photo = samplePng([5]);
			playBack(photo);
			const upload = await publish(...trigger(), [create({})], atHome);
			const [id = ''] = await upload(name, [photo]);
			const execution = await n8n.ended(id);
			await expectInline(photo, execution);
			expect(jsonOf(execution)).toMatchObject(PLAYED_BACK);
		});
	});

	if (isInMemory) return;

	it('uploads at once reach the service after their executions have ended', async () => {
		const fromField = create({ firstFrameBinaryProperty: field });
		const upload = await publish(...webhook(), [fromField]);
		const ids = await upload(field, atOnce);
		for (const id of ids) await n8n.ended(id);
		await expectFetched(atOnce);
	});

	it('an upload reaches the service while the execution rests in a Wait node', async () => {
		const fromField = create({ firstFrameBinaryProperty: field });
		const upload = await publish(...webhook(), [fromField, waitNode(3_600)]);
		const [id = ''] = await upload(field, photos.slice(1));
		await n8n.api.waitForStatus(id, 'waiting');
		await expectFetched(photos.slice(1));
		await n8n.api.stopExecution(id);
	});

	it('a photo of a form reaches the service, whatever its field is called', async () => {
		const upload = await publish(...form(), [create({})]);
		const [id = ''] = await upload('field-0', photos.slice(0, 1));
		await n8n.ended(id);
		await expectFetched(photos.slice(0, 1));
	});
}
