import path from 'node:path';
import { startDaemon, type Daemon } from './daemon';
import { LOOPBACK, freePort } from './ports';
import { findRedis } from './programs';

/** A Redis of a test's own, and the settings by which n8n finds it. */
export interface RedisServer extends Daemon {
	env: Record<string, string>;
}

/** Starts a Redis that keeps everything in memory and listens on this machine only. */
export async function startRedis(folder: string): Promise<RedisServer> {
	const port = String(await freePort());
	const settings = { port, bind: LOOPBACK, dir: folder, save: '', appendonly: 'no' };
	const server = await startDaemon({
		name: 'Redis',
		command: await findRedis(),
		args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
		cwd: folder,
		logFile: path.join(folder, 'redis.log'),
		readyLine: 'Ready to accept connections',
	});
	return { ...server, env: { QUEUE_BULL_REDIS_HOST: LOOPBACK, QUEUE_BULL_REDIS_PORT: port } };
}
