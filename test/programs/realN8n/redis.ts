import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { startDaemon, type Daemon } from './daemon';
import { LOOPBACK, freePort } from './ports';
import { findRedis } from './programs';

/** A Redis of a test's own, and the settings by which n8n finds it. */
export interface RedisServer extends Daemon {
	env: Record<string, string>;
	port: number;
	/** Writes all that it holds at this moment into `dump.rdb` in its folder, texts as they are. */
	save(): Promise<void>;
}

/** Starts a Redis that keeps everything in memory and listens on this machine only. */
export async function startRedis(folder: string): Promise<RedisServer> {
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
		command: findRedis(),
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
