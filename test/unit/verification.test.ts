import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { INodeProperties } from 'n8n-workflow';
import { VideogenApi } from '../../credentials/VideogenApi.credentials';
import { Videogen } from '../../nodes/Videogen/Videogen.node';
import { packNode } from '../n8n/package';
import { RULES } from '../package/verification';

const run = promisify(execFile);

let folder: string;
let unpacked: string;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'videogen-verification-'));
	await run('tar', ['-xzf', await packNode(folder), '-C', folder]);
	unpacked = path.join(folder, 'package');
}, 60_000);
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const NODE = 'dist/nodes/Videogen/Videogen.node.js';
const CODEX = 'dist/nodes/Videogen/Videogen.node.json';
const ICON = 'dist/nodes/Videogen/videogen.dark.svg';

/** Changes a copy of the package, so that it breaks a rule. */
type Break = (copy: string) => Promise<void>;

const withManifest =
	(change: Record<string, unknown>): Break =>
	async (copy) => {
		const file = path.join(copy, 'package.json');
		const whole = { ...JSON.parse(await readFile(file, 'utf8')), ...change };
		await writeFile(file, JSON.stringify(whole));
	};
const withCode =
	(code: string): Break =>
	async (copy) =>
		await appendFile(path.join(copy, NODE), `\n${code}\n`);
const without =
	(file: string): Break =>
	async (copy) =>
		await rm(path.join(copy, file));
const withFile =
	(file: string, content: string): Break =>
	async (copy) =>
		await writeFile(path.join(copy, file), content);

const n8n = { n8nNodesApiVersion: 1, strict: true, nodes: [NODE] };
const credentials = ['dist/credentials/VideogenApi.credentials.js'];

/** At least one way to break each rule. */
const BREAKS: Record<keyof typeof RULES, Break[]> = {
	'is named as community nodes are': [withManifest({ name: 'videogen-nodes' })],
	'has the keyword by which n8n finds it': [withManifest({ keywords: ['n8n'] })],
	'is under the MIT licence': [withManifest({ license: 'ISC' }), without('LICENSE')],
	'names an author with an email': [
		withManifest({ author: 'Somebody' }),
		withManifest({ author: { name: 'Somebody' } }),
	],
	'names a public repository, to which homepage and bugs belong': [
		withManifest({ repository: undefined }),
		withManifest({ homepage: 'https://github.com/other/other#readme' }),
	],
	'brings no dependencies': [withManifest({ dependencies: { 'left-pad': '1.0.0' } })],
	'needs n8n-workflow of its host, in any version, and nothing else': [
		withManifest({ peerDependencies: { 'n8n-workflow': '^2.0.0' } }),
		withManifest({ peerDependencies: { 'n8n-workflow': '*', zod: '*' } }),
	],
	'overrides no versions': [withManifest({ overrides: {} })],
	'runs nothing when it is installed': ['preinstall', 'postinstall', 'prepare', 'prepublish'].map(
		(name) => withManifest({ scripts: { [name]: 'true' } }),
	),
	'publishes dist alone': [withManifest({ files: ['dist', 'test'] }), withFile('secret.txt', 'x')],
	'registers with n8n strictly, files that are there': [
		withManifest({ n8n: { ...n8n, credentials, strict: false } }),
		withManifest({ n8n: { ...n8n, credentials, n8nNodesApiVersion: 2 } }),
		withManifest({ n8n: { ...n8n, credentials: ['dist/none.credentials.js'] } }),
	],
	'registers every node and credential that it has': [withManifest({ n8n })],
	'uses no module but those that n8n provides': [
		withCode("require('node:fs');"),
		withCode("import('axios');"),
		withCode('require(String(1));'),
	],
	'touches neither the environment nor timers, globals or evaluated code': [
		withCode('process.env.HOME;'),
		withCode('setTimeout(() => {}, 1);'),
		withCode('globalThis.x = 1;'),
		withCode("new Function('return 1');"),
	],
	'has icons for light and dark, as SVG': [without(ICON), withFile(ICON, 'PNG')],
	'has a codex with categories and documentation': [without(CODEX), withFile(CODEX, '{}')],
	'is in English only': [
		withCode("'Qualität';"),
		async (copy) => await appendFile(path.join(copy, 'README.md'), '\n视频\n'),
	],
	'has a README with all that a user needs': [without('README.md')],
};

describe.each(Object.entries(RULES))('the packed package %s', (rule, check) => {
	test('as it is', () => expect(check(unpacked)).toEqual([]));

	test('and the rule notices when it does not', async () => {
		const breaks = BREAKS[rule] ?? [];
		expect(breaks).not.toHaveLength(0);
		for (const [index, spoil] of breaks.entries()) {
			const copy = path.join(folder, `${rule.replace(/\W+/g, '-')}-${index}`);
			await cp(unpacked, copy, { recursive: true });
			await spoil(copy);
			expect([index, check(copy)]).not.toEqual([index, []]);
		}
	});
});

/** Fields, entries of collections and of menus, whatever has texts. */
const fieldsIn = (fields: INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => [
		field,
		...(field.options ?? []).flatMap((entry) =>
			'displayName' in entry && 'type' in entry ? fieldsIn([entry]) : [],
		),
	]);

/** What n8n's guidelines say on the texts of a field. */
function textObjections({
	displayName,
	type,
	description,
	placeholder,
	name,
}: INodeProperties): string[] {
	const isText = type !== 'notice' && type !== 'collection';
	return [
		...(type !== 'notice' && !isTitleCase(displayName) ? ['display name'] : []),
		...(isText && type !== 'options' && !description ? ['no description'] : []),
		...(description && !/^[A-Z]/.test(description) ? ['description'] : []),
		...(description?.endsWith('.') && !/[.?!] /.test(description) ? ['full stop'] : []),
		...(type === 'boolean' && !description?.startsWith('Whether') ? ['Whether'] : []),
		...(isText && placeholder && !placeholder.startsWith('e.g. ') ? ['placeholder'] : []),
		...(/^[a-z][A-Za-z\d]*$/.test(name) ? [] : ['name']),
	];
}

const SMALL_WORDS = /^(?:a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;
const isTitleCase = (words: string): boolean =>
	words
		.split(/[\s(]+/)
		.every((word, index) => /^[^a-z]/.test(word) || (index > 0 && SMALL_WORDS.test(word)));

const { description } = new Videogen();
const allFields = fieldsIn([...description.properties, ...new VideogenApi().properties]);

describe('the texts of node and credential', () => {
	test.each(allFields.map((field) => [field.name, field] as const))(
		'%s follows the guidelines',
		(_name, field) => expect(textObjections(field)).toEqual([]),
	);

	test.each<[string, Partial<INodeProperties>]>([
		['display name', { displayName: 'image url' }],
		['no description', { description: undefined }],
		['description', { description: 'what it is' }],
		['full stop', { description: 'What it is.' }],
		['Whether', { type: 'boolean' }],
		['placeholder', { placeholder: 'https://e.com' }],
		['name', { name: 'Image-URL' }],
	])('and are checked for: %s', (objection, change) => {
		const good: INodeProperties = {
			displayName: 'Image URL',
			name: 'imageUrl',
			type: 'string',
			default: '',
			description: 'What it is',
		};
		expect(textObjections(good)).toEqual([]);
		expect(textObjections({ ...good, ...change })).toEqual([objection]);
	});

	test('operations have a name in title case, an action in sentence case and a description', () => {
		const operation = description.properties.find(({ name }) => name === 'operation');
		for (const option of operation?.options ?? []) {
			if (!('action' in option)) throw new Error(`${option.name} has no action`);
			expect(isTitleCase(option.name)).toBe(true);
			expect(option.action).toMatch(/^[A-Z][a-z ]+$/);
			expect(option.description).toMatch(/^[A-Z].{20,}/);
		}
		expect(operation?.noDataExpression).toBe(true);
	});

	test('the node shows its operation, both icons and what it does, and can be a tool', () => {
		expect(description).toMatchObject({
			icon: { light: 'file:videogen.svg', dark: 'file:videogen.dark.svg' },
			subtitle: expect.stringContaining('$parameter["operation"]'),
			description: expect.stringMatching(/^[A-Z].{20,}[^.]$/),
			usableAsTool: true,
		});
	});

	test('the key is a password', () => {
		const key = new VideogenApi().properties.find(({ name }) => name === 'apiKey');
		expect(key?.typeOptions).toEqual({ password: true });
	});
});
