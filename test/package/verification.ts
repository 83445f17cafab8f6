import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import { headings } from '../support/markdown';

/**
 * What n8n asks of verified community nodes, as far as it can be seen in an unpacked package: its
 * verification guidelines and the rules of its linter. Each rule gives what is wrong, in words.
 */
export const RULES: Record<string, (folder: string) => string[]> = {
	'is named as community nodes are': (folder) =>
		when(!/^(?:@[\w.-]+\/)?n8n-nodes-[\w.-]+$/.test(text(folder, 'name')), 'name'),
	'has the keyword by which n8n finds it': (folder) =>
		when(!list(folder, 'keywords').includes('n8n-community-node-package'), 'keywords'),
	'is under the MIT licence': (folder) => [
		...when(text(folder, 'license') !== 'MIT', 'license'),
		...when(!readText(folder, 'LICENSE').startsWith('MIT License'), 'LICENSE'),
	],
	'names an author with an email': (folder) => {
		const { success } = authorSchema.safeParse(manifest(folder).author);
		return when(!success, 'author');
	},
	'names a public repository, to which homepage and bugs belong': (folder) => {
		const found = repositorySchema.safeParse(manifest(folder));
		if (!found.success) return ['repository'];
		const { repository, homepage, bugs } = found.data;
		const address = repository.url.replace(/^git\+|\.git$/g, '');
		return [homepage, bugs.url].filter((url) => !url.startsWith(address));
	},
	'brings no dependencies': (folder) =>
		['dependencies', 'optionalDependencies', 'bundledDependencies', 'bundleDependencies'].filter(
			(name) => Object.keys(Object(manifest(folder)[name])).length > 0,
		),
	'needs n8n-workflow of its host, in any version, and nothing else': (folder) =>
		when(
			JSON.stringify(manifest(folder).peerDependencies) !== '{"n8n-workflow":"*"}',
			'peerDependencies',
		),
	'overrides no versions': (folder) =>
		['overrides', 'resolutions'].filter((name) => name in manifest(folder)),
	'runs nothing when it is installed': (folder) =>
		Object.keys(Object(manifest(folder).scripts)).filter((name) => INSTALL_SCRIPT.test(name)),
	'publishes dist alone': (folder) => [
		...when(JSON.stringify(manifest(folder).files) !== '["dist"]', 'files'),
		...filesIn(folder).filter((file) => !/^(?:dist\/|package\.json$|README|LICENSE)/.test(file)),
	],
	'registers with n8n strictly, files that are there': (folder) => {
		const found = registrationSchema.safeParse(manifest(folder).n8n);
		if (!found.success) return found.error.issues.map(({ path: at }) => `n8n.${at.join('.')}`);
		const { nodes, credentials } = found.data;
		return [...nodes, ...credentials].filter((file) => !existsSync(path.join(folder, file)));
	},
	'registers every node and credential that it has': (folder) => {
		const { nodes = [], credentials = [] } = Object(manifest(folder).n8n);
		return filesIn(folder)
			.filter((file) => /\.(?:node|credentials)\.js$/.test(file))
			.filter((file) => ![...nodes, ...credentials].includes(file));
	},
	'uses no module but those that n8n provides': (folder) =>
		perScript(folder, (source) => importsOf(source).filter((name) => !isAllowedImport(name))),
	'touches neither the environment nor timers, globals or evaluated code': (folder) =>
		perScript(folder, (source) => globalsOf(source)),
	'has icons for light and dark, as SVG': (folder) =>
		['videogen.svg', 'videogen.dark.svg'].filter(
			(icon) => !/<svg[\s>]/.test(readText(folder, `dist/nodes/Videogen/${icon}`)),
		),
	'has a codex with categories and documentation': (folder) => {
		const codex = readText(folder, 'dist/nodes/Videogen/Videogen.node.json') || '{}';
		const found = codexSchema.safeParse(JSON.parse(codex));
		return found.success ? [] : found.error.issues.map(({ path: at }) => at.join('.'));
	},
	'is in English only': (folder) =>
		[...scriptsIn(folder), 'README.md', 'dist/nodes/Videogen/Videogen.node.json'].filter((file) =>
			NOT_ENGLISH.test(readText(folder, file).replace(/\p{Emoji_Presentation}/gu, '')),
		),
	'has a README with all that a user needs': (folder) => {
		const present = headings(readText(folder, 'README.md'));
		return README_HEADINGS.filter((heading) => !present.includes(heading));
	},
};

/** Installation, credentials, operations, usage, troubleshooting and what it runs on. */
const README_HEADINGS = [
	'Install',
	'Credentials',
	'Operations',
	'A first workflow',
	'What comes out',
	'When something goes wrong',
	'Compatibility',
	'Licence',
];

const INSTALL_SCRIPT =
	/^(?:pre|post)?install$|^(?:pre|post)?prepare$|^(?:pre|post)?pack$|^prepublish$/;
/** As n8n's linter has them, as far as they are used here. */
const HOST_MODULES = ['n8n-workflow', 'zod', 'node:crypto'];
const RESTRICTED_GLOBALS = new Set([
	'process',
	'global',
	'globalThis',
	'setTimeout',
	'setInterval',
	'setImmediate',
	'clearTimeout',
	'clearInterval',
	'clearImmediate',
	'__dirname',
	'__filename',
	'eval',
	'Function',
]);
/** Letters beyond those of English; quotation marks, dashes and arrows are fine. */
const NOT_ENGLISH = /(?![¹²³])[^\p{ASCII}\p{P}\p{S}\p{Z}\u{fe0f}]/u;

const authorSchema = z.object({ name: z.string().min(1), email: z.string().email() });
const repositorySchema = z.object({
	repository: z.object({
		type: z.literal('git'),
		url: z.string().regex(/^git\+https:\/\/github\.com\/[\w.-]+\/[\w.-]+\.git$/),
	}),
	homepage: z.string().url(),
	bugs: z.object({ url: z.string().url() }),
});
const registrationSchema = z.object({
	n8nNodesApiVersion: z.literal(1),
	strict: z.literal(true),
	nodes: z.array(z.string().regex(/^dist\/.*\.node\.js$/)).min(1),
	credentials: z.array(z.string().regex(/^dist\/.*\.credentials\.js$/)).min(1),
});
const links = z.array(z.object({ url: z.string().url() })).min(1);
const codexSchema = z.object({
	node: z.string().regex(/^n8n-nodes-[\w.-]+\.\w+$/),
	nodeVersion: z.string(),
	codexVersion: z.string(),
	categories: z.array(z.string()).min(1),
	resources: z.object({ credentialDocumentation: links, primaryDocumentation: links }),
});
const manifestSchema = z.record(z.unknown());

const when = (isWrong: boolean, what: string): string[] => (isWrong ? [what] : []);

const readText = (folder: string, file: string): string => {
	const whole = path.join(folder, file);
	return existsSync(whole) ? readFileSync(whole, 'utf8') : '';
};

const manifest = (folder: string): Record<string, unknown> =>
	manifestSchema.parse(JSON.parse(readText(folder, 'package.json')));

const text = (folder: string, name: string): string => String(manifest(folder)[name] ?? '');

const list = (folder: string, name: string): unknown[] => {
	const value = manifest(folder)[name];
	return Array.isArray(value) ? value : [];
};

const filesIn = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

const scriptsIn = (folder: string): string[] =>
	filesIn(folder).filter((file) => file.endsWith('.js'));

const perScript = (folder: string, find: (source: ts.SourceFile) => string[]): string[] =>
	scriptsIn(folder).flatMap((file) => {
		const source = ts.createSourceFile(file, readText(folder, file), ts.ScriptTarget.ES2022, true);
		return find(source).map((what) => `${file}: ${what}`);
	});

const isAllowedImport = (name: string): boolean =>
	/^\.\.?\//.test(name) || HOST_MODULES.includes(name);

function importsOf(source: ts.SourceFile): string[] {
	return nodesIn(source).flatMap((node) => {
		if (!ts.isCallExpression(node)) return [];
		const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
		if (!isRequire && node.expression.kind !== ts.SyntaxKind.ImportKeyword) return [];
		const [name] = node.arguments;
		return [name && ts.isStringLiteral(name) ? name.text : 'a module named by a value'];
	});
}

const globalsOf = (source: ts.SourceFile): string[] =>
	nodesIn(source)
		.filter(ts.isIdentifier)
		.filter((name) => RESTRICTED_GLOBALS.has(name.text) && !isMember(name))
		.map((name) => name.text);

/** A property or method of that name is somebody's own. */
const isMember = ({ parent }: ts.Identifier): boolean =>
	ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent);

function nodesIn(node: ts.Node): ts.Node[] {
	return [node, ...node.getChildren().flatMap(nodesIn)];
}
