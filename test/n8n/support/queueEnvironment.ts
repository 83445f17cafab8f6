/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { startWithCleanups } from '../../../tools/n8n/cleanups';
import { connectionTo } from '../../../tools/n8n/contacts';
import { copyNode } from '../../../tools/n8n/package';
import { LOOPBACK, freePort } from '../../../tools/n8n/ports';
import { startPostgres } from '../../../tools/n8n/postgres';
import type { N8nVersion } from '../../../tools/n8n/versions';
import { startRedis } from '../../../tools/n8n/redis';
import { startWorker } from '../../../tools/n8n/server';
import { prepare, startMain, type Place } from '../../../tools/n8n/testbed';

/** An n8n process that executes what the main process hands out. */
export type Worker = Awaited<ReturnType<typeof addWorker>>;

/** n8n in queue mode: one main process, Redis, PostgreSQL and any number of workers. */
export type QueueEnvironment = Awaited<ReturnType<typeof startQueueEnvironment>>;

type Settings = Record<string, string>;

/**
 * Starts everything but the workers; the build must be up to date.
 * @param settings Further ones of all n8n processes.
 */
export async function startQueueEnvironment(version: N8nVersion, settings: Settings) {
	return await startWithCleanups(async (cleanups) => {
		const prepared = await prepare(version, cleanups);
		const { folder, port } = prepared;
		const redis = await startRedis(folder);
		cleanups.add(redis.stop);
		const postgres = await startPostgres(path.join(folder, 'postgres.log'));
		cleanups.add(postgres.stop);
		const place = {
			...prepared,
			env: {
				...prepared.env,
				...redis.env,
				...postgres.env,
				EXECUTIONS_MODE: 'queue',
				OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
				N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64url'),
				// Workers hand out URLs of the main process, which they cannot know by themselves.
				WEBHOOK_URL: `http://${LOOPBACK}:${port}/`,
				...settings,
			},
		};
		const main = await startMain(place);
		const workers: Worker[] = [];
		return {
			...main,
			/** All that were started, the first first. */
			workers,
			/** @param concurrency How many executions it has at once. */
			startWorker: async (concurrency: number, more: Settings) => {
				const worker = await addWorker(place, concurrency, more);
				workers.push(worker);
				return worker;
			},
			/** Every row of n8n's database, as SQL. */
			dumpDatabase: postgres.dump,
			/** Writes all that Redis holds at this moment into a file in the folder. */
			saveRedis: redis.save,
			neededContacts: [...main.neededContacts, ...[redis.port, postgres.port].map(connectionTo)],
		};
	});
}

/** Each worker has a user folder of its own, as on a machine of its own. */
async function addWorker(
	{ version, folder, env, cleanups }: Place,
	concurrency: number,
	more: Settings,
) {
	const userFolder = await mkdtemp(path.join(folder, 'worker-'));
	await copyNode(userFolder);
	const healthPort = { QUEUE_HEALTH_CHECK_PORT: String(await freePort()) };
	const options = { version, userFolder, env: { ...env, ...healthPort, ...more } };
	const worker = await startWorker(options, concurrency);
	cleanups.add(worker.kill);
	/** IDs of the executions that it has begun, in that order. */
	const begun = async () => [...(await worker.log()).matchAll(BEGUN)].map(([, id = '']) => id);
	return { ...worker, begun };
}

const BEGUN = /Worker started execution (\S+) \(job/g;
