import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const PROJECT = path.join(__dirname, '..', '..');
const MAX_TARBALL_BYTES = 100_000;

const packResultSchema = z.array(
	z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
);
const scanResultSchema = z.object({
	passed: z.boolean(),
	message: z.string(),
	details: z.string(),
});
const manifestSchema = z
	.object({
		dependencies: z.record(z.string()).optional(),
		peerDependencies: z.record(z.string()),
		scripts: z.record(z.string()),
		n8n: z.object({ nodes: z.array(z.string()), credentials: z.array(z.string()) }).passthrough(),
	})
	.passthrough();

const codexSchema = z.object({
	alias: z.array(z.string()),
	subcategories: z.object({ AI: z.array(z.string()) }),
});

/** The packed package, as npm would publish it; `npm test` has built it before. */
let folder: string;
let tarball: string;
let files: string[];

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'videogen-package-'));
	const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: PROJECT,
	});
	const [packed] = packResultSchema.parse(JSON.parse(stdout));
	tarball = path.join(folder, packed?.filename ?? '');
	files = packed?.files.map((file) => file.path) ?? [];
	await run('tar', ['-xzf', tarball, '-C', folder]);
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const manifest = async () =>
	manifestSchema.parse(
		JSON.parse(await readFile(path.join(folder, 'package', 'package.json'), 'utf8')),
	);

const scan = async (kind: 'sources' | 'tarball', target: string) => {
	const program = path.join(PROJECT, 'test', 'package', 'scan.mjs');
	const { stdout } = await run(process.execPath, [program, kind, target], {
		// With NODE_ENV=test the rules look for what only their own tests have.
		env: { ...process.env, NODE_ENV: 'production' },
	});
	return scanResultSchema.parse(JSON.parse(stdout));
};

describe('the packed package', () => {
	test('holds the built code, the readme, the licence and the manifest, and nothing else', () => {
		const others = files.filter((file) => !file.startsWith('dist/'));
		expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
		expect(files.filter((file) => /(^|\/)test\/|\.ts$|\.map$/.test(file))).toEqual([]);
	});

	test('is small', async () => {
		expect((await stat(tarball)).size).toBeLessThan(MAX_TARBALL_BYTES);
	});

	test('holds every file that n8n is told to load, and the icons and codex beside them', async () => {
		const { n8n } = await manifest();
		expect(files).toEqual(
			expect.arrayContaining([
				...n8n.nodes,
				...n8n.credentials,
				'dist/nodes/Videogen/Videogen.node.json',
				'dist/nodes/Videogen/videogen.svg',
				'dist/nodes/Videogen/videogen.dark.svg',
			]),
		);
	});

	test('can be found in the nodes panel', async () => {
		const text = await readFile(
			path.join(folder, 'package/dist/nodes/Videogen/Videogen.node.json'),
			'utf8',
		);
		const codex = codexSchema.parse(JSON.parse(text));
		// n8n hides every node of the category AI that is not one of these.
		expect(codex.subcategories.AI).toContain('Root Nodes');
		expect(codex.alias).toEqual(expect.arrayContaining(['Text to Video', 'Generate Video']));
	});

	test('depends on nothing but the n8n that it runs in, and runs nothing when installed', async () => {
		const { dependencies, peerDependencies, scripts } = await manifest();
		expect(dependencies ?? {}).toEqual({});
		expect(peerDependencies).toEqual({ 'n8n-workflow': '*' });
		expect(Object.keys(scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
	});

	test('brings nothing else along in a plain npm install, not even from the network', async () => {
		const project = path.join(folder, 'plain');
		await mkdir(project);
		await writeFile(path.join(project, 'package.json'), '{"private":true}');
		const offline = ['--offline', '--cache', path.join(folder, 'empty-cache')];
		await run('npm', ['install', tarball, ...offline], { cwd: project });
		const installed = await readdir(path.join(project, 'node_modules'));
		expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['n8n-nodes-videogen']);
	}, 60_000);
});

describe("n8n's scanner", () => {
	test('passes the sources', async () => {
		expect(await scan('sources', PROJECT)).toEqual({ passed: true, message: '', details: '' });
	}, 60_000);

	test('passes the packed package', async () => {
		const unpacked = path.join(folder, 'package');
		expect(await scan('tarball', unpacked)).toEqual({ passed: true, message: '', details: '' });
	}, 60_000);

	test('does not pass a package that breaks its rules', async () => {
		expect(await scan('tarball', path.join(__dirname, '..', 'package', 'broken'))).toMatchObject({
			passed: false,
		});
	}, 60_000);
});
