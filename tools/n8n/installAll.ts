/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import { ensureN8n } from './install';
import { N8N_VERSIONS } from './versions';

/** For `.ci/run`: installs every n8n that the tests need. */
async function main(): Promise<void> {
	for (const version of N8N_VERSIONS) await ensureN8n(version);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
