/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import { pathWithNode } from './nodeRuntime';
import { LOOPBACK, freePort } from './ports';
import { SETTINGS, type N8nVersion } from './versions';

/** n8n is asked to end within this; beyond it, patience ends. */
const SHUTDOWN_TIMEOUT_SECONDS = 5;

/**
 * What every n8n process here runs with. Only what is listed here reaches n8n, so that a person's
 * own settings cannot change a test.
 */
export async function n8nEnvironment(
	version: N8nVersion,
	userFolder: string,
): Promise<NodeJS.ProcessEnv> {
	const { HOME, LANG, TMPDIR } = process.env;
	return {
		...{ HOME, LANG, TMPDIR },
		// n8n starts its task runners by the name of `node`.
		PATH: pathWithNode(),
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		// Part of the addresses that n8n gives others to call; by name it may mean another interface.
		N8N_HOST: LOOPBACK,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(SHUTDOWN_TIMEOUT_SECONDS),
		// When its database takes five seconds to answer a ping, as on a busy machine, it answers all
		// requests with 503.
		DB_PING_INTERVAL_SECONDS: String(24 * 60 * 60),
		...NO_OUTSIDE_CALLS,
		...SETTINGS[version],
	};
}

/** n8n must not depend on, or tell anything to, hosts other than the simulator. */
const NO_OUTSIDE_CALLS = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_LICENSE_DETACH_FLOATING_ON_SHUTDOWN: 'false',
} as const;
