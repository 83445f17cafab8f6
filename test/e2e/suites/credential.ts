import { startHost } from '../../programs/realN8n/hosts';
import { refusingPort } from '../../programs/realN8n/ports';
import { triggerNode, VIDEOGEN_TYPE, type ChainNode } from '../../programs/realN8n/workflows';
import { DEFAULT_API_KEY } from '../../programs/simulator';
import type { Suite } from '../beds/suite';
import { jsonFrom, saidBy, WRONG_KEY } from '../vocabulary';

const BORROWER = 'HTTP Request';

/** A person's own request with the credential. */
const borrower = (typeVersion: number, url: string, proxy?: string): ChainNode => ({
	name: BORROWER,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion,
	parameters: {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'videogenApi',
		options: { ...(proxy && { proxy }) },
	},
});

/** The package as n8n loads it, and what pressing *Test* in the credential says. */
export function testCredential(n8n: Suite): void {
	it('loads the node and its credential from the packed package', async () => {
		expect(await n8n.api.typesOf('nodes')).toContain(VIDEOGEN_TYPE);
		expect(await n8n.api.typesOf('credentials')).toContain('videogenApi');
	});

	it('the credential test accepts a good key, and tells a bad one, an unreachable and a wrong host apart', async () => {
		const website = n8n.closeAtEnd(
			await startHost((_request, response) => {
				response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><h1>Welcome</h1>');
			}),
		);
		const refusing = n8n.closeAtEnd(await refusingPort());
		const check = async (data: { apiKey?: string; baseUrl?: string }) =>
			await n8n.api.testCredential(n8n.bed.credential, {
				apiKey: DEFAULT_API_KEY,
				baseUrl: n8n.sim.baseUrl,
				...data,
			});
		const refused = async (data: { apiKey?: string; baseUrl?: string }, message: string) =>
			expect(await check(data)).toEqual({ status: 'Error', message });

		expect(await check({ apiKey: `  ${DEFAULT_API_KEY} \n` })).toMatchObject({ status: 'OK' });
		await refused(
			{ apiKey: WRONG_KEY },
			'API key not accepted (401). The service says: “The API key is missing or not valid.” ' +
				"Paste the key again, and check 'Base URL' in the Videogen credential.",
		);
		await refused(
			{ baseUrl: `http://127.0.0.1:${refusing.port}` },
			'No connection to the service. ' +
				"Check 'Base URL' in the Videogen credential (https:// or http://, typing mistakes), and that the machine of n8n can reach the service.",
		);
		await refused(
			{ baseUrl: website.baseUrl },
			'This is not the URL of the service: a web page answers there. ' +
				'Check Base URL: it must be the URL of the API, not of a website or console.',
		);
		expect(n8n.sim.creates()).toEqual([]);
	});

	// The oldest and the newest version of n8n's node that can borrow a credential.
	describe.each([2, 4.2])('an HTTP Request node, version %d, with the credential', (version) => {
		const borrow = (proxy?: string) => {
			const { credential, sim } = n8n.bed;
			const node = borrower(version, `${sim.baseUrl}/v1/tasks/1`, proxy);
			const workflow = n8n.chain([triggerNode(), node]);
			for (const one of workflow.nodes) {
				if (one.name === BORROWER) one.credentials = { videogenApi: credential };
			}
			return workflow;
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
			expect(saidBy(execution)).toMatch(/not for requests through a proxy of their own/);
			expect(n8n.sim.requests).toEqual([]);
		});
	});
}
