import { isJsonObject } from '../../../nodes/Videogen/shared/json';
import type { Suite } from '../support/suite';
import { jsonOf, saidBy, waiting } from '../support/workflows';

const ONE = 'https://e.com/one.png';
const TWO = 'https://e.com/two.png';

/** Values as sheets, forms and n8n itself give them. */
export function testValues(n8n: Suite): void {
	const sent = () => n8n.sim.creates().map(({ json }) => json);

	it('takes two URLs apart, whatever stands between them', async () => {
		const marks = [';', '|', '，', '、', '；', ' ; ', '\n'];
		await n8n.run({
			parameters: {
				...waiting(),
				operation: 'createReferenceVideo',
				prompt: '={{ "A fox " + $itemIndex }}',
				imageUrls: '={{ $json.urls }}',
			},
			items: marks.map((mark) => ({ urls: `${ONE}${mark}${TWO}` })),
		});
		const lists = sent().map((body) => isJsonObject(body) && body.image_urls);
		expect(lists).toEqual(marks.map(() => [ONE, TWO]));
	});

	it('takes an empty cell as the default, and loses no row', async () => {
		const items = ['', ' ', null].map((empty) => ({ empty }));
		const empty = '={{ $json.empty }}';
		const options = { generateAudio: empty, maxConcurrentTasks: empty, modelFamily: empty };
		const execution = await n8n.run({
			parameters: {
				...waiting(options),
				...{ prompt: '={{ "A fox " + $itemIndex }}', duration: empty, quality: empty },
				aspectRatio: empty,
			},
			items,
		});
		expect(jsonOf(execution)).toHaveLength(3);
		expect(sent()).toEqual(
			items.map(() => ({
				...{ model: 'videogen-2.5-text-to-video', prompt: expect.any(String) },
				...{ duration: 5, quality: '720p' },
			})),
		);
	});

	it('refuses the resume URL of this execution while it waits itself', async () => {
		const parameters = waiting({ callbackUrl: '={{ $execution.resumeUrl }}' });
		const said = saidBy(await n8n.run({ parameters: { ...parameters, prompt: 'A fox' } }, 'error'));
		expect(said).toContain('Callback URL');
		expect(said).toContain('Wait for Completion');
		expect(n8n.sim.requests).toEqual([]);
	});

	it('sends whoever runs n8n’s own Custom API Call to the HTTP Request node', async () => {
		const parameters = { operation: '__CUSTOM_API_CALL__' };
		const said = saidBy(await n8n.run({ parameters }, 'error'));
		expect(said).toContain('HTTP Request');
		expect(n8n.sim.requests).toEqual([]);
	});
}
