import { refusingPort } from '../../programs/realN8n/ports';
import { triggerNode, VIDEOGEN_TYPE, type ChainNode } from '../../programs/realN8n/workflows';
import { DEFAULT_API_KEY } from '../../programs/simulator';
import { startWebsite } from '../../programs/realN8n/hosts';
import { startListener } from '../listener';
import type { Suite } from '../beds/suite';
import { jsonFrom, saidBy, WRONG_KEY } from '../vocabulary';

/** What the simulated service says to a key that it does not know. */
const REFUSAL = 'The service says: “The API key is missing or not valid.”';
const PASTE_AGAIN = "Paste the key again. Check 'Base URL' in the Videogen credential, too.";
const CHECK_BASE_URL =
	'Check Base URL: it must be the URL of the API, not of a website or console.';

const BORROWER = 'HTTP Request';
const HTTPS_BASE = 'https://127.0.0.1:1';

/** A person's own request with the credential, in the versions of n8n's node that can borrow one. */
const borrower = (
	typeVersion: number,
	url: string,
	proxy: string,
	ignoresTls = false,
): ChainNode => ({
	name: BORROWER,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion,
	parameters: {
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'videogenApi',
		...(typeVersion < 3 && { allowUnauthorizedCerts: ignoresTls }),
		options: {
			...(proxy && { proxy }),
			...(typeVersion >= 3 && ignoresTls && { allowUnauthorizedCerts: true }),
		},
	},
});

/** The package as n8n loads it, and what pressing *Test* in the credential says. */
export function testCredential(n8n: Suite): void {
	it('loads the node and its credential from the packed package', async () => {
		expect(await n8n.api.typesOf('nodes')).toContain(VIDEOGEN_TYPE);
		expect(await n8n.api.typesOf('credentials')).toContain('videogenApi');
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

		it('tells a bad key, an unreachable host and two kinds of wrong host apart', async () => {
			const answersAll = n8n.closeAtEnd(await startWebsite(200));
			const answersNothing = n8n.closeAtEnd(await startWebsite(404));
			const refusing = n8n.closeAtEnd(await refusingPort());
			const refused = async (data: { apiKey?: string; baseUrl?: string }, message: string) =>
				expect(await check(data)).toEqual({ status: 'Error', message });

			await refused({ apiKey: WRONG_KEY }, `API key not accepted (401). ${REFUSAL} ${PASTE_AGAIN}`);
			await refused(
				{ baseUrl: `http://127.0.0.1:${refusing.port}` },
				'No connection to the service. ' +
					"Check 'Base URL' in the Videogen credential (https:// or http://, typing mistakes), and that the machine of n8n can reach the service.",
			);
			await refused(
				{ baseUrl: answersAll.baseUrl },
				`This is not the URL of the service: a web page answers there. ${CHECK_BASE_URL}`,
			);
			await refused(
				{ baseUrl: answersNothing.baseUrl },
				`This is not the URL of the service: the web server there knows no tasks (404). ${CHECK_BASE_URL}`,
			);
			expect(n8n.sim.creates()).toEqual([]);
		});
	});

	describe.each([2, 3, 4.2])('an HTTP Request node, version %d, with the credential', (version) => {
		const borrow = async (baseUrl: string, proxy: string, ignoresTls?: boolean) => {
			const videogenApi = await n8n.credential({ baseUrl });
			const node = borrower(version, `${baseUrl}/v1/tasks/1`, proxy, ignoresTls);
			const workflow = n8n.chain([triggerNode(), node]);
			for (const one of workflow.nodes) {
				if (one.name === BORROWER) one.credentials = { videogenApi };
			}
			return workflow;
		};

		it('works, with the key', async () => {
			n8n.sim.script({ on: 'task', fault: { kind: 'json', body: { answered: true } } });
			const execution = await n8n.execute(await borrow(n8n.sim.baseUrl, ''));
			expect(jsonFrom(execution, BORROWER)).toEqual([{ answered: true }]);
			const [read] = n8n.sim.reads();
			expect(read?.headers.authorization).toBe(`Bearer ${DEFAULT_API_KEY}`);
		});

		it.each([
			['http', () => n8n.sim.baseUrl, false],
			['https with Ignore SSL Issues', () => HTTPS_BASE, true],
		])('shows no key to a proxy of its own, %s', async (_what, baseUrl, ignoresTls) => {
			const listener = n8n.closeAtEnd(await startListener());
			const execution = await n8n.execute(
				await borrow(baseUrl(), listener.proxyUrl, ignoresTls),
				'error',
			);
			expect(listener.heard).toEqual([]);
			expect(saidBy(execution)).toMatch(/not for requests through a proxy of their own/);
			expect(n8n.sim.requests).toEqual([]);
		});
	});
}
