import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const NODE_FOLDER = path.join(__dirname, '..', '..', 'nodes', 'Videogen');

/** What each part may use besides itself; CONTRIBUTING.md has the picture. */
const MAY_USE: Record<string, string[]> = {
	common: [],
	contract: [],
	client: ['common', 'contract'],
	waiting: ['client'],
	download: ['client', 'common', 'waiting'],
	input: ['client', 'common', 'contract', 'waiting'],
	fields: ['contract', 'download', 'input'],
	operations: ['common', 'contract', 'fields', 'input'],
	files: ['common', 'download', 'input'],
	messages: ['client', 'common', 'download', 'input', 'waiting'],
	'connection.ts': ['client', 'contract', 'input'],
	'n8nClock.ts': ['waiting'],
	'properties.ts': ['operations'],
	'credentialTest.ts': ['client', 'connection.ts', 'messages'],
	run: [
		'client',
		'common',
		'connection.ts',
		'contract',
		'download',
		'files',
		'input',
		'messages',
		'operations',
		'waiting',
	],
	'Videogen.node.ts': ['credentialTest.ts', 'n8nClock.ts', 'operations', 'properties.ts', 'run'],
};

/** Where n8n is used while the node runs; elsewhere only its types are. */
const USES_N8N = ['Videogen.node.ts', 'n8nClock.ts', 'run/nodeError.ts'];

const files = readdirSync(NODE_FOLDER, { recursive: true })
	.map((file) => String(file).replaceAll(path.sep, '/'))
	.filter((file) => file.endsWith('.ts'));

const textOf = (file: string): string => readFileSync(path.join(NODE_FOLDER, file), 'utf8');

const partOf = (file: string): string => file.split('/')[0] ?? file;

/** The parts whose files a file imports. */
function partsUsedBy(file: string): string[] {
	const targets = [...textOf(file).matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
		path.posix.join(path.posix.dirname(file), target),
	);
	return targets
		.filter((target) => !target.startsWith('../../credentials/'))
		.map((target) => (files.includes(`${target}.ts`) ? `${target}.ts` : target))
		.map(partOf)
		.filter((part) => part !== partOf(file));
}

test.each(files)('%s uses only what stands below it', (file) => {
	const allowed = MAY_USE[partOf(file)];
	expect(allowed).toBeDefined();
	expect(partsUsedBy(file).filter((part) => !allowed?.includes(part))).toEqual([]);
});

test('nothing that is allowed leads back up', () => {
	const below = (part: string, seen: string[] = []): string[] =>
		seen.includes(part)
			? [...seen, part]
			: (MAY_USE[part] ?? []).flatMap((next) => [next, ...below(next, [...seen, part])]);
	for (const part of Object.keys(MAY_USE)) expect(below(part)).not.toContain(part);
});

test('the check sees what a file uses', () => {
	expect(new Set(partsUsedBy('operations/getTask.ts'))).toContain('input');
	expect(partsUsedBy('credentialTest.ts')).toContain('connection.ts');
	expect(partsUsedBy('Videogen.node.ts')).toContain('run');
});

test('waiting knows nothing of n8n, and few files know more of it than its types', () => {
	const importing = (pattern: RegExp) => files.filter((file) => pattern.test(textOf(file)));
	expect(importing(/^import (?!type\b)[^;]*from 'n8n-/m).sort()).toEqual(USES_N8N);
	expect(importing(/from 'n8n-/).filter((file) => partOf(file) === 'waiting')).toEqual([]);
});
