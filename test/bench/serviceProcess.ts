import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { z } from 'zod';

const startedSchema = z.object({ port: z.number() });
const countsSchema = z.object({ requests: z.number(), unfinished: z.number() });

/** The service of `countingService.ts`, running in a process of its own. */
export interface ServiceProcess {
	baseUrl: string;
	/** Requests since the last call, and tasks that nobody read to their end. */
	counts(): Promise<z.infer<typeof countsSchema>>;
	stop(): void;
}

export async function startService(): Promise<ServiceProcess> {
	const child = fork(path.join(__dirname, 'countingService.ts'));
	const said = async (): Promise<unknown> => (await once(child, 'message'))[0];
	const { port } = startedSchema.parse(await said());
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		counts: async () => {
			child.send('counts');
			return countsSchema.parse(await said());
		},
		stop: () => child.disconnect(),
	};
}
