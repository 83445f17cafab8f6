import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { packNode } from '../programs/realN8n/package';

const run = promisify(execFile);
const PROJECT = path.join(__dirname, '..', '..');
const MAX_TARBALL_BYTES = 110_000;

const manifestSchema = z.object({
	dependencies: z.record(z.string()).default({}),
	peerDependencies: z.record(z.string()),
	files: z.array(z.string()),
	n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }),
});
const linksSchema = z.array(z.object({ url: z.string().url() })).min(1);
const codexSchema = z.object({
	categories: z.array(z.string()).min(1),
	alias: z.array(z.string()),
	subcategories: z.object({ AI: z.array(z.string()) }),
	resources: z.object({ credentialDocumentation: linksSchema, primaryDocumentation: linksSchema }),
});

/** The packed package, as npm would publish it; `npm test` has built it before. */
let folder: string;
let tarball: string;
let unpacked: string;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'videogen-package-'));
	tarball = await packNode(folder);
	await run('tar', ['-xzf', tarball, '-C', folder]);
	unpacked = path.join(folder, 'package');
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const read = async (file: string): Promise<string> =>
	await readFile(path.join(unpacked, file), 'utf8');

const manifest = async () => manifestSchema.parse(JSON.parse(await read('package.json')));

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
	});

	test('is small', async () => {
		expect((await stat(tarball)).size).toBeLessThan(MAX_TARBALL_BYTES);
	});

	test('needs nothing but the n8n that it runs in', async () => {
		const { dependencies, peerDependencies, files } = await manifest();
		expect(dependencies).toEqual({});
		expect(peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(files).toEqual(['dist']);
	});

	test('brings nothing else along in a plain npm install, not even from the network', async () => {
		const project = path.join(folder, 'plain');
		await mkdir(project);
		await writeFile(path.join(project, 'package.json'), '{"private":true}');
		const offline = ['--offline', '--cache', path.join(folder, 'empty-cache')];
		await run('npm', ['install', tarball, ...offline], { cwd: project });
		const installed = await readdir(path.join(project, 'node_modules'));
		expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['n8n-nodes-videogen-tasks']);
	}, 60_000);

	test('holds every file that n8n is told to load, and icons for light and dark', async () => {
		const { n8n } = await manifest();
		for (const file of [...n8n.nodes, ...n8n.credentials]) expect(await read(file)).not.toBe('');
		for (const icon of ['videogen.svg', 'videogen.dark.svg']) {
			expect(await read(`dist/nodes/Videogen/${icon}`)).toMatch(/<svg[\s>]/);
		}
	});

	test('can be found in the nodes panel, with links to its documentation', async () => {
		const codex = codexSchema.parse(
			JSON.parse(await read('dist/nodes/Videogen/Videogen.node.json')),
		);
		// n8n hides every node of the category AI that is not one of these.
		expect(codex.subcategories.AI).toContain('Root Nodes');
		expect(codex.alias).toEqual(expect.arrayContaining(['Text to Video', 'Generate Video']));
	});
});

describe("n8n's scanner", () => {
	const scan = async (kind: 'sources' | 'tarball', target: string): Promise<unknown> => {
		const program = path.join(PROJECT, 'test', 'programs', 'package', 'scan.mjs');
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

	test('does not pass a package that breaks its rules', async () => {
		const broken = path.join(PROJECT, 'test', 'programs', 'package', 'broken');
		expect(await scan('tarball', broken)).toMatchObject({ passed: false });
	}, 60_000);
});
