import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { packNode } from '../../../tools/n8n/package';
import ensureFreshBuild from '../../../tools/n8n/freshBuild';

const run = promisify(execFile);
const PROJECT = path.join(__dirname, '..', '..', '..');
const MAX_TARBALL_BYTES = 110_000;

const CREDENTIAL = 'credentials/VideogenApi.credentials.js';
const NODE = 'nodes/Videogen/Videogen.node.js';
/** Those that n8n takes, by its page on codex files. */
const CATEGORIES = [
	...['Data & Storage', 'Finance & Accounting', 'Marketing & Content', 'Productivity'],
	...['Miscellaneous', 'Sales', 'Development', 'Analytics', 'Communication', 'Utility'],
];
const ICONS = ['nodes/Videogen/videogen.svg', 'nodes/Videogen/videogen.dark.svg'];

/** The packed package, as npm would publish it. */
let folder: string;
let tarball: string;
let unpacked: string;

beforeAll(async () => {
	ensureFreshBuild();
	folder = await mkdtemp(path.join(tmpdir(), 'videogen-package-'));
	tarball = await packNode(folder);
	await run('tar', ['-xzf', tarball, '-C', folder]);
	unpacked = path.join(folder, 'package');
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const read = async (file: string): Promise<string> =>
	await readFile(path.join(unpacked, file), 'utf8');

describe('the packed package', () => {
	test('holds the built code, the readme, the licence and the manifest, and nothing else', async () => {
		expect((await readdir(unpacked)).sort()).toEqual([
			'LICENSE',
			'README.md',
			'dist',
			'package.json',
		]);
		const built = await readdir(path.join(unpacked, 'dist'), { recursive: true });
		expect(built.filter((file) => /(^|\/)test\/|\.ts$|\.map$/.test(file))).toEqual([]);
		expect(built).toEqual(expect.arrayContaining([CREDENTIAL, NODE, ...ICONS]));
	});

	test('is small', async () => {
		expect((await stat(tarball)).size).toBeLessThan(MAX_TARBALL_BYTES);
	});

	test('needs nothing but the n8n that it runs in, which it tells what to load', async () => {
		const manifest: unknown = JSON.parse(await read('package.json'));
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).toHaveProperty('peerDependencies', { 'n8n-workflow': '*' });
		expect(manifest).toMatchObject({
			// Or npm would install it beside that of n8n.
			peerDependenciesMeta: { 'n8n-workflow': { optional: true } },
			files: ['dist'],
			n8n: { credentials: [`dist/${CREDENTIAL}`], nodes: [`dist/${NODE}`] },
		});
	});

	test('can be found in the nodes panel, with links to its documentation', async () => {
		const links = [{ url: expect.stringMatching(/^https:\/\/\S+$/) }];
		const codex: unknown = JSON.parse(await read('dist/nodes/Videogen/Videogen.node.json'));
		expect(codex).not.toHaveProperty('subcategories');
		const { categories } = z.object({ categories: z.array(z.string()) }).parse(codex);
		expect(categories).toHaveLength(1);
		expect(CATEGORIES).toEqual(expect.arrayContaining(categories));
		expect(codex).toMatchObject({
			alias: expect.arrayContaining(['Text to Video', 'Generate Video']),
			resources: { credentialDocumentation: links, primaryDocumentation: links },
		});
	});
});

describe("n8n's scanner", () => {
	const scan = async (kind: 'sources' | 'tarball', target: string): Promise<unknown> => {
		const program = path.join(PROJECT, 'tools', 'release', 'scan.mjs');
		const { stdout } = await run(process.execPath, [program, kind, target], {
			// With NODE_ENV=test the rules look for what only their own tests have.
			env: { ...process.env, NODE_ENV: 'production' },
		});
		return JSON.parse(stdout);
	};

	test('passes the sources', async () => {
		expect(await scan('sources', PROJECT)).toEqual({ passed: true, message: '', details: '' });
	}, 60_000);

	test('passes the packed package', async () => {
		expect(await scan('tarball', unpacked)).toEqual({ passed: true, message: '', details: '' });
	}, 60_000);
});
