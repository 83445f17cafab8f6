import { prepared, readExample, tableSetting } from '../../n8n/examples';
import type { Suite } from '../beds/suite';
import { simulatorOf } from '../beds/suite';
import { modelOf } from '../openAi';
import { CREATE, Queue } from './contentQueue';

export const NEWS = 'news-to-video.json';

const feedOf = (titles: readonly string[]): Buffer =>
	Buffer.from(
		`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${titles
			.map((title) => `<item><title>${title}</title><link>https://e.com/${title}</link></item>`)
			.join('')}</channel></rss>`,
	);

/** What the model writes for each of so many entries. */
const promptsOf = (count: number) =>
	Array.from({ length: count }, (_, nth) => ({ says: () => ` A video, number ${nth + 1} ` }));

/** News become prompts in the table of the content queue. */
export function testNewsToVideo(n8n: Suite): void {
	describe('the news of news-to-video.json', () => {
		const host = simulatorOf(n8n);
		const { model, credential: openAiApi } = modelOf(n8n);

		const open = (count: number) =>
			Array.from({ length: count }, (_, nth) => ({
				prompt: `A video, number ${nth + 1}`,
				status: 'open',
				taskId: '',
				result: '',
				error: '',
			}));

		it('become at most three prompts a day, each entry once, and the queue makes them', async () => {
			const queue = await Queue.of(n8n, []);
			const serve = (...titles: string[]) =>
				host().serve('/feed.xml', { body: feedOf(titles), contentType: 'application/rss+xml' });
			const feedUrl = serve('one', 'two');
			const table = tableSetting(queue.table, n8n.version);
			const credentials = { openAiApi: openAiApi() };
			const saved = await n8n.api.createWorkflow(
				prepared(readExample(NEWS), { credentials, settings: { feedUrl, table } }),
			);
			const runNews = async (prompts: number): Promise<void> => {
				model().plan(promptsOf(prompts));
				await n8n.ended(await n8n.api.runWorkflow(saved));
				expect(model().requests).toHaveLength(prompts);
			};

			await runNews(2);
			expect(await queue.rows()).toEqual(open(2));
			expect(JSON.stringify(model().requests)).toContain('The news: two');

			await runNews(0);
			serve('one', 'two', 'three', 'four', 'five', 'six');
			await runNews(1);
			await runNews(0);
			expect(await queue.rows()).toHaveLength(3);
			expect(n8n.sim.requests).toEqual([]);

			await queue.run(CREATE);
			expect(n8n.sim.creates()).toHaveLength(3);
		});
	});
}
