import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { VideogenApi } from '../../../credentials/VideogenApi.credentials';
import { Videogen } from '../../../nodes/Videogen/Videogen.node';
import { packNode } from '../../../tools/n8n/package';
import ensureFreshBuild from '../../../tools/n8n/freshBuild';

/** n8n's guidelines for verified community nodes, each quoted above its check. */
const run = promisify(execFile);
const PROJECT = path.join(__dirname, '..', '..', '..');
const CREDENTIAL = 'credentials/VideogenApi.credentials.js';
const NODE = 'nodes/Videogen/Videogen.node.js';
const ICONS = ['nodes/Videogen/videogen.svg', 'nodes/Videogen/videogen.dark.svg'];
const MAX_TARBALL_BYTES = 110_000;

/** The packed package, as npm would publish it. */
let folder: string;
let tarball: string;
let unpacked: string;
let manifest: Record<string, unknown>;
/** The code of the package, file by file. */
let code: string[];

const read = async (file: string): Promise<string> =>
	await readFile(path.join(unpacked, file), 'utf8');

beforeAll(async () => {
	ensureFreshBuild();
	folder = await mkdtemp(path.join(tmpdir(), 'videogen-package-'));
	tarball = await packNode(folder);
	await run('tar', ['-xzf', tarball, '-C', folder]);
	unpacked = path.join(folder, 'package');
	manifest = JSON.parse(await read('package.json'));
	const files = await readdir(unpacked, { recursive: true });
	code = await Promise.all(files.filter((file) => file.endsWith('.js')).map(read));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

test('"Your package must be named n8n-nodes-<name> or @<scope>/n8n-nodes-<name>"', () =>
	expect(manifest.name).toMatch(/^(?:@[\w-]+\/)?n8n-nodes-[a-z-]+$/));

test('"Include n8n-community-node-package in your package keywords"', () =>
	expect(manifest.keywords).toContain('n8n-community-node-package'));

test('"Add your nodes and credentials to the package.json file inside the n8n attribute"', () =>
	expect(manifest.n8n).toMatchObject({
		credentials: [`dist/${CREDENTIAL}`],
		nodes: [`dist/${NODE}`],
	}));

test('"Verified nodes must use the MIT license"', async () => {
	expect(manifest.license).toBe('MIT');
	expect(await read('LICENSE')).toContain('MIT License');
});

test('"Ensure your package does not include any runtime dependencies"', () => {
	expect(manifest).not.toHaveProperty('dependencies');
	// Optional, or npm would install it beside that of n8n.
	expect(manifest).toMatchObject({
		peerDependencies: { 'n8n-workflow': '*' },
		peerDependenciesMeta: { 'n8n-workflow': { optional: true } },
	});
	const modules = code.flatMap((text) => [...text.matchAll(/\brequire\("([^"]+)"\)/g)]);
	const outside = modules.map(([, name = '']) => name).filter((name) => !name.startsWith('.'));
	const ofN8n = ['n8n-workflow', 'zod', 'node:crypto'];
	expect(outside.filter((name) => !ofN8n.includes(name))).toEqual([]);
});

test('"The code must not interact with environment variables, or read or write files"', () => {
	expect(code.length).toBeGreaterThan(40);
	for (const text of code) {
		expect(text).not.toMatch(/\bprocess\.(?:env|cwd|argv)|\beval\(|new Function\(/);
		expect(text).not.toMatch(
			/require\("(?:node:)?(?:fs|child_process|os|process|net|http|https|vm)/,
		);
	}
});

test('"The GitHub repository must be public, and its URL match that of the npm package"', () => {
	const url = /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/.exec(
		String(Object(manifest.repository).url),
	)?.[1];
	expect(manifest).toMatchObject({ homepage: `${url}#readme`, bugs: { url: `${url}/issues` } });
	expect(manifest).toMatchObject({
		author: { name: expect.any(String), email: expect.any(String) },
	});
});

test('"Nodes must be published by a GitHub action, with a provenance statement"', async () => {
	expect(manifest.publishConfig).toMatchObject({ access: 'public', provenance: true });
	const action = await readFile(path.join(PROJECT, '.github/workflows/publish.yml'), 'utf8');
	expect(action).toContain('id-token: write');
});

test('"Your node must have appropriate documentation: a README with usage, credentials, compatibility"', async () => {
	const readme = await read('README.md');
	for (const heading of [/install/i, /credential/i, /n8n/]) {
		expect(
			readme.split('\n').filter((line) => /^#+ /.test(line) && heading.test(line)),
		).not.toEqual([]);
	}
	const links = [{ url: expect.stringMatching(/^https:\/\/\S+$/) }];
	const codex: unknown = JSON.parse(await read('dist/nodes/Videogen/Videogen.node.json'));
	expect(codex).toMatchObject({
		categories: [
			expect.stringMatching(/^(?:Marketing & Content|Miscellaneous|Utility|Productivity)$/),
		],
		alias: expect.arrayContaining(['Text to Video', 'Generate Video']),
		resources: { credentialDocumentation: links, primaryDocumentation: links },
	});
});

test('"Both the node interface and all documentation must be in English only"', async () => {
	const { properties, description } = new Videogen().description;
	const shown = JSON.stringify([properties, description, new VideogenApi().properties]);
	for (const text of [shown, await read('README.md')])
		expect(text).not.toMatch(/[^\P{L}\p{Script=Latin}]/u);
});

/** With NODE_ENV=test, the rules look for what only their own tests have. */
const env = { ...process.env, NODE_ENV: 'production' };
test.each(['sources', 'tarball'])(
	'"Make sure your node passes the linter and npx @n8n/scan-community-package": %s',
	async (kind) => {
		const program = path.join(PROJECT, 'tools', 'release', 'scan.mjs');
		const target = kind === 'sources' ? PROJECT : unpacked;
		const { stdout } = await run(process.execPath, [program, kind, target], { env });
		expect(JSON.parse(stdout)).toEqual({ passed: true, message: '', details: '' });
	},
	60_000,
);

test('the package holds what is built, the readme, the license and the manifest, and is small', async () => {
	const top = ['LICENSE', 'README.md', 'dist', 'package.json'];
	expect((await readdir(unpacked)).sort()).toEqual(top);
	const built = await readdir(path.join(unpacked, 'dist'), { recursive: true });
	expect(built.filter((file) => /(^|\/)test\/|\.ts$|\.map$/.test(file))).toEqual([]);
	expect(built).toEqual(expect.arrayContaining([CREDENTIAL, NODE, ...ICONS]));
	expect((await stat(tarball)).size).toBeLessThan(MAX_TARBALL_BYTES);
});
