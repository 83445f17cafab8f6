import { ensureN8n } from './install';

/** For `.ci/run`: installs every n8n that the tests need, those first that they begin with. */
async function main(): Promise<void> {
	const onProgress = (line: string) => process.stderr.write(`${line}\n`);
	await ensureN8n('1.123.81', { onProgress });
	await ensureN8n('2.41.1', { onProgress });
	await ensureN8n('2.0.3', { onProgress }, 'pnpm');
	await ensureN8n('2.0.3', { onProgress });
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
