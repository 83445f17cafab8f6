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

const read = async (file: string): Promise<string> =>
	await readFile(path.join(unpacked, file), 'utf8');

beforeAll(async () => {
	ensureFreshBuild();
	folder = await mkdtemp(path.join(tmpdir(), 'videogen-package-'));
	tarball = await packNode(folder);
	await run('tar', ['-xzf', tarball, '-C', folder]);
	unpacked = path.join(folder, 'package');
	manifest = JSON.parse(await read('package.json'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

test('n8n-workflow is optional, or npm would install it beside that of n8n', () =>
	expect(manifest).toMatchObject({
		peerDependencies: { 'n8n-workflow': '*' },
		peerDependenciesMeta: { 'n8n-workflow': { optional: true } },
	}));

test('"The GitHub repository must be public, and its URL match that of the npm package"', () => {
	const url = /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/.exec(
		String(Object(manifest.repository).url),
	)?.[1];
	expect(manifest).toMatchObject({ homepage: `${url}#readme`, bugs: { url: `${url}/issues` } });
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

/**
 * It says so, too, where the package has another name or license, no keyword, no entry for n8n, no
 * author or a dependency, and where the code uses environment variables or files. With NODE_ENV=test, the
 * rules look for what only their own tests have.
 */
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
