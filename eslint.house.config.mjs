import { readFileSync, readdirSync } from 'node:fs';
import js from '@eslint/js';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * The rules of this project, after those of n8n in eslint.config.mjs, which n8n's tool wants
 * untouched. `npm run lint` runs both, this one with --no-inline-config: no comment switches off
 * anything here.
 */

/** What Git ignores, as Prettier does by itself. */
const IGNORED = readFileSync(`${import.meta.dirname}/.gitignore`, 'utf8')
	.trim()
	.split('\n');

/** The rule sets of the older n8n plugin are written for ESLint's former config format. */
const nodesBaseRules = (name) => ({
	plugins: { 'n8n-nodes-base': n8nNodesBase },
	rules: n8nNodesBase.configs[name].rules,
});

/** The folders of the node from the bottom up; those that stand together are one layer. */
const LAYERS = [['shared'], ['service'], ['work', 'files'], ['fields'], ['operations'], ['run']];

/** The node itself, on top of all layers. */
const TOP_FILES = readdirSync(`${import.meta.dirname}/nodes/Videogen`)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.slice(0, -'.ts'.length));

/** What is known below must not depend on what is built on it. */
const layerRules = LAYERS.map((layer, index) => {
	const above = LAYERS.slice(index + 1).flat();
	const group = [
		...above.map((folder) => `**/${folder}/**`),
		...TOP_FILES.flatMap((file) => [`../${file}`, `../../${file}`]),
	];
	const message = `${layer.join(' and ')} may import ${LAYERS.slice(0, index + 1)
		.flat()
		.join(', ')} alone: imports only go down. See CONTRIBUTING, Layers.`;
	return {
		files: layer.map((folder) => `nodes/Videogen/${folder}/**/*.ts`),
		rules: {
			'@typescript-eslint/no-restricted-imports': ['error', { patterns: [{ group, message }] }],
		},
	};
});

const restricted = (files, patterns) => ({
	files,
	rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
});

const NOT_THE_NODE = {
	regex: '^(\\.\\./)+(nodes|credentials|dist)/',
	message:
		'Whoever judges the node imports nothing of it: who shares its tables shares its mistakes.',
};

/** What tests share stands in test/support and tools, so that no kind of test depends on another. */
const KINDS = ['unit', 'money', 'engine', 'n8n', 'zod4'];
const OF_THE_NODE = {
	regex:
		'^(?:\\./|(?:\\.\\./)+support/)(?:credentialTestContext|downloadScene|itemFilesScene|work)$',
	message: NOT_THE_NODE.message,
};
const testRules = [...KINDS, 'support'].map((folder) => {
	const others = KINDS.filter((kind) => kind !== folder).join('|');
	const message = 'Tests import of their own folder, of test/support and of tools alone.';
	const notOthers = { regex: `^(\\.\\./)+(test/)?(${others})/`, message };
	return restricted(
		[`test/${folder}/**/*.ts`],
		folder === 'money' ? [notOthers, NOT_THE_NODE, OF_THE_NODE] : [notOthers],
	);
});

/** Only those that document or measure the node, or release it, import of it. */
const NOT_TESTS = {
	regex: '^(\\.\\./)+test/',
	message: 'Tests use tools, and tools no tests.',
};
const toolRules = [
	// What `money` takes from there: types say nothing about a payment.
	restricted(
		['test/support/{binaryStorage,engine,otherNodes,requestClock,useEngine,withoutHttp}.ts'],
		[{ ...NOT_THE_NODE, allowTypeImports: true }, OF_THE_NODE],
	),
	restricted(['tools/**/*.ts'], [NOT_TESTS, NOT_THE_NODE]),
	restricted(['tools/{docs,bench,release}/**/*.ts'], [NOT_TESTS]),
];

export default tseslint.config(
	{ ignores: IGNORED },
	{ linterOptions: { reportUnusedDisableDirectives: 'off' } },
	{
		files: ['**/*.ts'],
		extends: [js.configs.recommended, ...tseslint.configs.strict],
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			// n8n's own config obeys such comments: the node has none.
			'no-warning-comments': ['error', { terms: ['eslint-disable'], location: 'anywhere' }],
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'no-duplicate-imports': 'error',
			'@typescript-eslint/no-unsafe-argument': 'error',
			'@typescript-eslint/no-unsafe-assignment': 'error',
			'@typescript-eslint/no-unsafe-call': 'error',
			'@typescript-eslint/no-unsafe-member-access': 'error',
			'@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
			'@typescript-eslint/switch-exhaustiveness-check': 'error',
			'max-lines': ['error', { max: 220, skipBlankLines: true, skipComments: true }],
			'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
		},
	},
	{
		// What people and services write is as long as they like.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	...layerRules,
	...testRules,
	...toolRules,
	{ files: ['nodes/**/*.ts'], ...nodesBaseRules('nodes') },
	{ files: ['credentials/**/*.ts'], ...nodesBaseRules('credentials') },
	{
		// n8n's own config switches off the same three: they ask for string literals in place of
		// NodeConnectionTypes, and for n8n's internal page names in place of a URL.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['package.json'],
		...nodesBaseRules('community'),
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
);
