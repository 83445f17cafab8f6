import ensureFreshBuild from '../../tools/n8n/freshBuild';
import { ensureN8n } from '../../tools/n8n/install';
import type { N8nVersion } from '../../tools/n8n/versions';

/** Jest does this for one version of n8n after the other, before the first test. */
export default async function prepareVersion(
	_: unknown,
	{ globals }: { globals: { N8N_VERSION: N8nVersion } },
): Promise<void> {
	ensureFreshBuild();
	await ensureN8n(globals.N8N_VERSION);
}
