import { sampleMp4, samplePng, sha256Of } from '../../../tools/simulator/sampleFiles';
import type { BotMessage } from '../../../tools/mock-services/telegram';
import type { SavedWorkflow } from '../../../tools/n8n/api';
import { pollUntil } from '../../../tools/n8n/poll';
import { BROKEN } from '../support/workflows';
import { BOSS, type Fixtures } from './fixtures';
import { BOT, playsOf } from './plays';

const LISTENS_WITHIN_MS = 30_000;

/** Publishes the bot's recipe, until n8n has told Telegram where it listens. */
export async function publishBot(fixtures: Fixtures): Promise<SavedWorkflow> {
	const { n8n, place } = fixtures;
	const { saved } = await fixtures.imported(BOT);
	await n8n.api.publish(saved);
	const isHeard = async () => await Promise.resolve(place.telegram.isHeard || undefined);
	await pollUntil(isHeard, { what: 'the bot to be heard', timeoutMs: LISTENS_WITHIN_MS });
	return saved;
}

interface Said {
	from?: number;
	photo?: Buffer;
}

/** Plays with a published bot; `say` gives what the bot has said since, when the execution is over. */
async function withBot(
	fixtures: Fixtures,
	use: (say: (text: string, said?: Said) => Promise<BotMessage[]>) => Promise<void>,
): Promise<void> {
	const { n8n, place } = fixtures;
	const { telegram } = place;
	const saved = await publishBot(fixtures);
	let count = 0;
	const say = async (text: string, { from = BOSS, photo }: Said = {}) => {
		const before = telegram.messages.length;
		expect(await telegram.say({ from, text, photo })).toBe(200);
		count += 1;
		const newest = async () => {
			const ids = await n8n.api.executionsOf(saved);
			return ids.length === count ? ids[0] : undefined;
		};
		const what = 'an execution for the message';
		await n8n.ended(await pollUntil(newest, { what, timeoutMs: LISTENS_WITHIN_MS }));
		return telegram.messages.slice(before);
	};
	try {
		await use(say);
	} finally {
		await n8n.api.unpublish(saved);
	}
}

export const PLAYS_OF_BOT = playsOf(BOT, {
	'answers a message and a photo with a video each, up to the limit of the day': async (fixtures) =>
		await withBot(fixtures, async (say) => {
			const { n8n, place } = fixtures;
			const image = samplePng([7]);
			expect(await say('A fox')).toMatchObject([{ chat: BOSS, text: 'A fox', video: sampleMp4() }]);
			const answer = await say('It runs', { photo: image });
			expect(answer).toMatchObject([{ chat: BOSS, text: 'It runs', video: sampleMp4() }]);
			await n8n.sim.waitForMedia(1);
			expect(n8n.sim.media).toMatchObject([{ field: 'image_urls', sha256: sha256Of(image) }]);

			n8n.sim.planTask({ prompt: 'Refused', outcome: 'failed', error: BROKEN });
			expect((await say('Refused'))[0]?.text).toContain(BROKEN.message);
			// What failed does not count.
			await say('An owl');
			expect((await say('One more'))[0]?.text).toContain('the limit of 3 videos each day');
			expect(n8n.sim.tasks.size).toBe(4);
			expect((await fixtures.rows('botTable', 'status')).flat()).toEqual([
				...['sent', 'sent', 'failed', 'sent', 'over the limit'],
			]);
			expect(place.complaints).toEqual([]);
		}),
	'creates nothing for people who are not listed, commands and pictures without words': async (
		fixtures,
	) =>
		await withBot(fixtures, async (say) => {
			expect((await say('A fox', { from: 99 }))[0]?.text).toContain('99');
			expect((await say('/start'))[0]?.text).toContain('Write what the video shows');
			expect((await say('', { photo: samplePng() }))[0]?.text).toContain('Write what');
			expect(fixtures.n8n.sim.requests).toEqual([]);
		}),
});
