/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import path from 'node:path';
import { startDaemon } from './daemon';
import { LOOPBACK, freePort } from './ports';
import { run } from './process';

/**
 * Starts a Redis that keeps everything in memory and listens on this machine only. By `env`, n8n finds
 * it; `save` writes all that it holds into `dump.rdb` in its folder, texts as they are.
 */
export async function startRedis(folder: string) {
	const port = await freePort();
	const settings = {
		port: String(port),
		bind: LOOPBACK,
		dir: folder,
		save: '',
		appendonly: 'no',
		rdbcompression: 'no',
	};
	const server = await startDaemon({
		name: 'Redis',
		command: 'redis-server',
		args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
		cwd: folder,
		logFile: path.join(folder, 'redis.log'),
		readyLine: 'Ready to accept connections',
	});
	const env = { QUEUE_BULL_REDIS_HOST: LOOPBACK, QUEUE_BULL_REDIS_PORT: String(port) };
	const save = async () => await run('redis-cli', ['-e', '-p', String(port), 'SAVE']);
	return { ...server, env, port, save };
}
