import { DEFAULT_API_KEY, startSimulator } from '../../../tools/simulator';
import { CREATE_PATH, modelOf } from '../../../tools/simulator/contract';

test('plays the words of practice once it is told to, as in the demo', async () => {
	const sim = await startSimulator();
	sim.playWords();
	const create = async (prompt: string) => {
		const model = modelOf('videogen-2.5', 'text-to-video');
		const { status } = await fetch(`${sim.baseUrl}/${CREATE_PATH}`, {
			method: 'POST',
			headers: { authorization: `Bearer ${DEFAULT_API_KEY}`, 'content-type': 'application/json' },
			body: JSON.stringify({ model, prompt }),
		});
		return status;
	};
	expect(await create('A fox [refused]')).toBe(400);
	expect(await create('A fox [failed]')).toBe(200);
	expect(await create('A fox')).toBe(200);
	// As in practice, a prompt with this word is not refused for its content.
	const error = { code: 'generation_failed', message: 'The video could not be made.' };
	const plans = [...sim.tasks.values()].map(({ plan }) => plan);
	expect(plans).toMatchObject([{ outcome: 'failed', error }, {}]);
	await sim.close();
});
