import { freePort } from '../../n8n/ports';
import { VIDEOGEN_TYPE } from '../../n8n/workflows';
import { DEFAULT_API_KEY } from '../../simulator';
import { startWebsite } from '../hosts';
import { saidBy, type Suite } from '../suite';
import { WRONG_KEY } from './secrets';

/** The package as n8n loads it, and what pressing *Test* in the credential says. */
export function testCredential(n8n: Suite): void {
	it('loads the node and its credential from the packed package', async () => {
		expect(await n8n.api.nodeTypes()).toContain(VIDEOGEN_TYPE);
		expect(await n8n.api.credentialTypes()).toContain('videogenApi');
	});

	describe('the credential test', () => {
		const check = async (data: { apiKey?: string; baseUrl?: string }) =>
			await n8n.api.testCredential(n8n.bed.credential, {
				apiKey: DEFAULT_API_KEY,
				baseUrl: n8n.sim.baseUrl,
				...data,
			});

		it.each([
			['as it is', DEFAULT_API_KEY],
			['pasted with spaces and a line break around it', `  ${DEFAULT_API_KEY} \n`],
		])('accepts a good key, %s', async (_name, apiKey) => {
			expect(await check({ apiKey })).toMatchObject({ status: 'OK' });
			expect(n8n.sim.creates()).toEqual([]);
		});

		it('accepts an address with a slash at its end', async () => {
			expect(await check({ baseUrl: `${n8n.sim.baseUrl}/` })).toMatchObject({ status: 'OK' });
		});

		it('accepts whatever JSON the service answers for an unknown task', async () => {
			n8n.sim.script({ on: 'task', fault: { kind: 'status', status: 400 } });
			expect(await check({})).toMatchObject({ status: 'OK' });
			n8n.sim.script({ on: 'task', fault: { kind: 'status', status: 404 } });
			expect(await check({})).toMatchObject({ status: 'OK' });
		});

		it('tells a bad key, an unreachable host and two kinds of wrong host apart', async () => {
			const answersAll = await startWebsite(200);
			const answersNothing = await startWebsite(404);
			try {
				const badKey = await check({ apiKey: WRONG_KEY });
				const unreachable = await check({ baseUrl: `http://127.0.0.1:${await freePort()}` });
				const website = await check({ baseUrl: answersAll.baseUrl });
				const notFound = await check({ baseUrl: answersNothing.baseUrl });

				const results = [badKey, unreachable, website, notFound];
				expect(results.map(({ status }) => status)).toEqual(['Error', 'Error', 'Error', 'Error']);
				expect(badKey.message).toMatch(/key/i);
				expect(unreachable.message).toMatch(/reach|connect/i);
				expect(website.message).toMatch(/Base URL|address/i);
				expect(notFound.message).toMatch(/Base URL|address/i);
				expect(new Set(results.map(({ message }) => message)).size).toBe(4);
				for (const { message } of results) {
					expect(message).not.toContain(WRONG_KEY);
					expect(message).not.toContain(DEFAULT_API_KEY);
				}
				expect(n8n.sim.creates()).toEqual([]);
			} finally {
				await answersAll.close();
				await answersNothing.close();
			}
		});
	});

	it('says that the key was refused, without repeating it', async () => {
		const credential = await n8n.api.createCredential({
			name: 'Wrong key',
			data: { apiKey: WRONG_KEY, baseUrl: n8n.sim.baseUrl },
		});
		const execution = await n8n.run({ credential, parameters: { prompt: 'A fox' } });
		expect(execution.status).toBe('error');
		expect(saidBy(execution)).toMatch(/key/i);
		expect(n8n.sim.creates()).toHaveLength(1);
	});
}
