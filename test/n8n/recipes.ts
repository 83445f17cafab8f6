import path from 'node:path';

/** The n8n versions that have a recipe (package.json and lock file) in `recipes/`. */
export const N8N_VERSIONS = ['2.0.3', '2.41.1'] as const;
export type N8nVersion = (typeof N8N_VERSIONS)[number];

/** The oldest n8n this node is tested on. */
export const OLDEST: N8nVersion = '2.0.3';
/** The newest n8n this node is tested on. */
export const NEWEST: N8nVersion = '2.41.1';

/** Major versions of Node that each n8n says it runs on. */
export const NODE_RANGES: Record<N8nVersion, { from: number; to: number }> = {
	'2.0.3': { from: 20, to: 24 },
	'2.41.1': { from: 24, to: Infinity },
};

/** Major version of the Node in use. */
export const NODE_MAJOR = Number.parseInt(process.versions.node, 10);

/** The newest n8n that runs on the Node in use, so that nobody has to install another Node. */
export const versionForThisNode = (): N8nVersion =>
	NODE_MAJOR >= NODE_RANGES[NEWEST].from ? NEWEST : OLDEST;

/** Folder that holds the package.json and the lock file of one n8n version. */
export const recipeFolder = (version: N8nVersion): string =>
	path.join(__dirname, 'recipes', version);
