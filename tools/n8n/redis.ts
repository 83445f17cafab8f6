import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { startDaemon } from './daemon';
import { LOOPBACK, freePort } from './ports';

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
	return { ...server, env, port, save: async () => await save(port) };
}

async function save(port: number): Promise<void> {
	const socket = connect(port, LOOPBACK).setEncoding('utf8');
	try {
		socket.write('SAVE\r\n');
		const [answer]: unknown[] = await once(socket, 'data');
		if (answer !== '+OK\r\n') throw new Error(`Redis did not save: ${String(answer)}`);
	} finally {
		socket.destroy();
	}
}
