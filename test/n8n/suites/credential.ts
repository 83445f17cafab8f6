import { startHost } from '../../../tools/n8n/hosts';
import { refusingPort } from '../../../tools/n8n/ports';
import { ownNode, triggerNode } from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY } from '../../../tools/simulator';
import type { Suite } from '../support/suite';
import { jsonFrom, saidBy, WRONG_KEY } from '../support/workflows';

const BORROWER = 'HTTP Request';

/** What pressing *Test* in the credential says, and what another node may do with it. */
export function testCredential(n8n: Suite): void {
	it('the credential test accepts a good key, and tells a bad one, an unreachable and a wrong host apart', async () => {
		const website = n8n.closeAtEnd(
			await startHost((_request, response) => {
				response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><h1>Welcome</h1>');
			}),
		);
		const refusing = n8n.closeAtEnd(await refusingPort());
		const check = async (data: { apiKey?: string; baseUrl?: string }) =>
			await n8n.api.testCredential(n8n.environment.credential, {
				apiKey: DEFAULT_API_KEY,
				baseUrl: n8n.sim.baseUrl,
				...data,
			});
		const refused = async (data: { apiKey?: string; baseUrl?: string }, ...words: RegExp[]) => {
			const { status, message } = await check(data);
			expect(status).toBe('Error');
			for (const word of words) expect(message).toMatch(word);
		};

		expect(await check({ apiKey: `  ${DEFAULT_API_KEY} \n` })).toMatchObject({ status: 'OK' });
		await refused({ apiKey: WRONG_KEY }, /401/, /key is missing or not valid/, /Base URL/);
		const unreachable = `http://127.0.0.1:${refusing.port}`;
		await refused({ baseUrl: unreachable }, /Base URL/, /host\.docker\.internal/);
		await refused({ baseUrl: website.baseUrl }, /Base URL/, /web page|website/);
		expect(n8n.sim.creates()).toEqual([]);
	});

	// The oldest and the newest version of n8n's node that can borrow a credential.
	describe.each([2, 4.2])('an HTTP Request node, version %d, with the credential', (version) => {
		/** A person's own request with the credential. */
		const borrow = (proxy?: string) => {
			const { credential, sim } = n8n.environment;
			const node = ownNode(BORROWER, 'httpRequest', version, {
				url: `${sim.baseUrl}/v1/tasks/1`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'videogenApi',
				options: { ...(proxy && { proxy }) },
			});
			return n8n.chain([triggerNode(), { ...node, credentials: { videogenApi: credential } }]);
		};

		it('works, with the key', async () => {
			n8n.sim.script({ on: 'task', fault: { kind: 'json', body: { answered: true } } });
			expect(jsonFrom(await n8n.execute(borrow()), BORROWER)).toEqual([{ answered: true }]);
			const [read] = n8n.sim.reads();
			expect(read?.headers.authorization).toBe(`Bearer ${DEFAULT_API_KEY}`);
		});

		it('shows no key to a proxy of its own', async () => {
			const heard: unknown[] = [];
			const proxy = n8n.closeAtEnd(
				await startHost(({ rawHeaders }, response) => {
					heard.push(rawHeaders);
					response.end('{}');
				}),
			);
			const execution = await n8n.execute(borrow(proxy.baseUrl), 'error');
			expect(heard).toEqual([]);
			expect(saidBy(execution)).toMatch(/proxy/);
			expect(n8n.sim.requests).toEqual([]);
		});
	});
}
