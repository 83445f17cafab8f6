import path from 'node:path';

/** The n8n versions that have a recipe (package.json and lock file) in `recipes/`. */
export const N8N_VERSIONS = ['2.0.3', '2.41.1'] as const;
export type N8nVersion = (typeof N8N_VERSIONS)[number];

/** The oldest n8n this node is tested on; runs on Node 20 to 24. */
export const OLDEST: N8nVersion = '2.0.3';
/** The newest n8n this node is tested on; needs Node 24. */
export const NEWEST: N8nVersion = '2.41.1';

const NEWEST_NEEDS_NODE = 24;

/** The newest n8n that runs on the Node in use, so that nobody has to install another Node. */
export function versionForThisNode(): N8nVersion {
	const major = Number.parseInt(process.versions.node, 10);
	return major >= NEWEST_NEEDS_NODE ? NEWEST : OLDEST;
}

/** Folder that holds the package.json and the lock file of one n8n version. */
export const recipeFolder = (version: N8nVersion): string =>
	path.join(__dirname, 'recipes', version);
