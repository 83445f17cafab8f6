/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import path from 'node:path';

/** The n8n versions that have a package.json and a lock file in `installs/`, oldest first. */
export const N8N_VERSIONS = ['1.123.81', '2.0.3', '2.41.1'] as const;
export type N8nVersion = (typeof N8N_VERSIONS)[number];

/** The oldest n8n this node is tested on. */
export const OLDEST: N8nVersion = '1.123.81';
/** The newest n8n this node is tested on. */
export const NEWEST: N8nVersion = '2.41.1';

/** Whether it differs in what docs/for-administrators.md lists. */
export const isN8n1 = (version: N8nVersion): boolean => version.startsWith('1.');

/** Settings that only some versions know, or have to be given. */
export const SETTINGS: Record<N8nVersion, Record<string, string>> = {
	'1.123.81': {
		// The newer one needs a native module that has to be compiled.
		N8N_EXPRESSION_ENGINE: 'legacy',
		// As in n8n 2.
		DB_SQLITE_POOL_SIZE: '4',
		// As in n8n 2; by itself, n8n 1 keeps files in memory, and has no other place but the disk.
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
		// As in n8n 2; by itself, n8n 1 starts an execution again whose worker is gone.
		QUEUE_WORKER_MAX_STALLED_COUNT: '0',
	},
	'2.0.3': {},
	// Fetches a list from n8n's makers; older versions refuse to start when they read its name.
	'2.41.1': { N8N_DISABLED_MODULES: 'mcp-registry' },
};

/** Folder that holds the package.json and the lock file of one n8n version. */
export const versionFolder = (version: N8nVersion): string =>
	path.join(__dirname, 'installs', version);
