import { sampleMp4, samplePng, sha256Of } from '../../../tools/simulator/sampleFiles';
import { BOT_PERSON } from '../../../tools/mock-services';
import type { BotMessage } from '../../../tools/mock-services/telegram';
import type { SavedWorkflow } from '../../../tools/n8n/api';
import { pollUntil } from '../../../tools/n8n/poll';
import { BROKEN } from '../support/workflows';
import type { Fixtures } from './fixtures';
import { BOT, playsOf } from './plays';

/** Publishes the bot's recipe, until n8n has told Telegram where it listens. */
export async function publishBot(fixtures: Fixtures): Promise<SavedWorkflow> {
	const saved = await fixtures.publish(BOT);
	const webhook = async () => await Promise.resolve(fixtures.place.telegram.webhook);
	await pollUntil(webhook, { what: 'the bot to be heard' });
	return saved;
}

export const PLAYS_OF_BOT = playsOf(BOT, {
	'answers listed people with a video each, up to the limit of the day': async (fixtures) => {
		const { n8n, place } = fixtures;
		const { telegram } = place;
		const saved = await publishBot(fixtures);
		let count = 0;
		/** What the bot has answered, when the execution is over. */
		const say = async (text: string, photo?: Buffer): Promise<BotMessage[]> => {
			const before = telegram.messages.length;
			expect(await telegram.say({ from: BOT_PERSON, text, photo })).toBe(200);
			count += 1;
			const newest = async () => {
				const ids = await n8n.api.executionsOf(saved);
				return ids.length === count ? ids[0] : undefined;
			};
			const what = 'an execution for the message';
			await n8n.ended(await pollUntil(newest, { what }));
			return telegram.messages.slice(before).filter(({ chat }) => chat === BOT_PERSON);
		};
		const text = expect.stringContaining('Write what the video shows');
		expect(await say('/start')).toMatchObject([{ text }]);
		expect(await say('', samplePng())).toMatchObject([{ text }]);
		expect(await telegram.say({ from: 99, text: 'A stranger' })).toBe(200);
		expect(n8n.sim.requests).toEqual([]);

		const image = samplePng([7]);
		const video = sampleMp4();
		expect(await say('A fox')).toMatchObject([{ text: 'A fox', video }]);
		expect(await say('It runs', image)).toMatchObject([{ text: 'It runs', video }]);
		await n8n.sim.waitForMedia(1);
		expect(n8n.sim.media).toMatchObject([{ field: 'image_urls', sha256: sha256Of(image) }]);
		n8n.sim.planTask({ prompt: 'Refused', outcome: 'failed', error: BROKEN });
		expect((await say('Refused'))[0]?.text).toContain(BROKEN.message);
		expect((await say('One more'))[0]?.text).toContain('your limit is 3 videos a day');
		expect(n8n.sim.tasks.size).toBe(3);
		expect(place.complaints).toEqual([]);
	},
});
