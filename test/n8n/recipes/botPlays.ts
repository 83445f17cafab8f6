import { sampleMp4, samplePng, sha256Of } from '../../../tools/simulator/sampleFiles';
import type { BotMessage } from '../../../tools/mock-services/telegram';
import type { SavedWorkflow } from '../../../tools/n8n/api';
import { pollUntil } from '../../../tools/n8n/poll';
import { BROKEN } from '../support/workflows';
import { BOSS, type Fixtures } from './fixtures';
import { BOT, playsOf } from './plays';

/** Publishes the bot's recipe, until n8n has told Telegram where it listens. */
export async function publishBot(fixtures: Fixtures): Promise<SavedWorkflow> {
	const saved = await fixtures.publish(BOT);
	const { telegram } = fixtures.place;
	const isHeard = async () => await Promise.resolve(telegram.isHeard || undefined);
	await pollUntil(isHeard, { what: 'the bot to be heard' });
	return saved;
}

export const PLAYS_OF_BOT = playsOf(BOT, {
	'answers listed people with a video each, up to the limit of the day': async (fixtures) => {
		const { n8n, place } = fixtures;
		const { telegram } = place;
		const saved = await publishBot(fixtures);
		let count = 0;
		/** What the bot has said since, when the execution is over. */
		const say = async (text: string, photo?: Buffer): Promise<BotMessage[]> => {
			const before = telegram.messages.length;
			expect(await telegram.say({ from: BOSS, text, photo })).toBe(200);
			count += 1;
			const newest = async () => {
				const ids = await n8n.api.executionsOf(saved);
				return ids.length === count ? ids[0] : undefined;
			};
			const what = 'an execution for the message';
			await n8n.ended(await pollUntil(newest, { what }));
			return telegram.messages.slice(before);
		};
		const text = expect.stringContaining('Write what the video shows');
		expect(await say('/start')).toMatchObject([{ text }]);
		expect(await say('', samplePng())).toMatchObject([{ text }]);
		expect(await telegram.say({ from: 99, text: 'A stranger' })).toBe(200);
		expect(n8n.sim.requests).toEqual([]);

		const image = samplePng([7]);
		expect(await say('A fox')).toMatchObject([{ chat: BOSS, text: 'A fox', video: sampleMp4() }]);
		const answer = await say('It runs', image);
		expect(answer).toMatchObject([{ chat: BOSS, text: 'It runs', video: sampleMp4() }]);
		await n8n.sim.waitForMedia(1);
		expect(n8n.sim.media).toMatchObject([{ field: 'image_urls', sha256: sha256Of(image) }]);
		n8n.sim.planTask({ prompt: 'Refused', outcome: 'failed', error: BROKEN });
		expect((await say('Refused'))[0]?.text).toContain(BROKEN.message);
		expect((await say('One more'))[0]?.text).toContain('your limit is 3 videos a day');
		expect(n8n.sim.tasks.size).toBe(3);
		expect(place.complaints).toEqual([]);
	},
});
