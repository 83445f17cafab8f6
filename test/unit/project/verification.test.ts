/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { packNode } from '../../../tools/n8n/package';
import ensureFreshBuild from '../../../tools/n8n/freshBuild';

const run = promisify(execFile);
const PROJECT = path.join(__dirname, '..', '..', '..');
const ENTRIES = ['credentials/VideogenApi.credentials.js', 'nodes/Videogen/Videogen.node.js'];
const ICONS = ['nodes/Videogen/videogen.svg', 'nodes/Videogen/videogen.dark.svg'];
const MAX_TARBALL_BYTES = 110_000;

/** The packed package, as npm would publish it. */
let folder: string;
let tarball: string;
let unpacked: string;
let manifest: Record<string, unknown>;

beforeAll(async () => {
	ensureFreshBuild();
	folder = await mkdtemp(path.join(tmpdir(), 'videogen-package-'));
	tarball = await packNode(folder);
	await run('tar', ['-xzf', tarball, '-C', folder]);
	unpacked = path.join(folder, 'package');
	manifest = JSON.parse(await readFile(path.join(unpacked, 'package.json'), 'utf8'));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

/** n8n's guidelines for verified community nodes, each quoted above its check, begin here. */
test('n8n-workflow is optional, or npm would install it beside that of n8n', () =>
	expect(manifest).toMatchObject({
		peerDependencies: { 'n8n-workflow': '*' },
		peerDependenciesMeta: { 'n8n-workflow': { optional: true } },
	}));

/** Strict, `n8n-node lint` wants the config as n8n ships it. */
test('"npx n8n-node lint" is strict, and the first that `npm run lint` runs', () =>
	expect(manifest).toMatchObject({
		n8n: { strict: true },
		scripts: { lint: expect.stringMatching(/^n8n-node lint && /) },
	}));

test('"Verify that your npm package repository URL matches the expected GitHub repository"', () => {
	const url = /^git\+(https:\/\/github\.com\/[\w-]+\/[\w-]+)\.git$/.exec(
		String(Object(manifest.repository).url),
	)?.[1];
	expect(manifest).toMatchObject({ homepage: `${url}#readme`, bugs: { url: `${url}/issues` } });
});

test('"you must publish ALL community nodes using a GitHub action and include a provenance statement"', async () => {
	expect(manifest.publishConfig).toMatchObject({ access: 'public', provenance: true });
	const action = await readFile(path.join(PROJECT, '.github/workflows/publish.yml'), 'utf8');
	for (const part of ['id-token: write', 'npm publish --provenance'])
		expect(action).toContain(part);
});

/**
 * It says so where the package has another name or license, no keyword, no entry for n8n, no author or a
 * dependency, and where the code uses environment variables or files. With NODE_ENV=test, the
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
	// Most tests on n8n run a copy of the build.
	const there = await readdir(path.join(PROJECT, 'dist'), { recursive: true });
	expect(built.sort()).toEqual(there.sort());
	expect(built.filter((file) => /(^|\/)test\/|\.ts$|\.map$/.test(file))).toEqual([]);
	expect(built).toEqual(expect.arrayContaining([...ENTRIES, ...ICONS]));
	expect((await stat(tarball)).size).toBeLessThan(MAX_TARBALL_BYTES);
});
