import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { z } from 'zod';

const startedSchema = z.object({ baseUrl: z.string() });
const countsSchema = z.object({ requests: z.number() });

/** The simulator, running in a process of its own. */
export interface ServiceProcess {
	baseUrl: string;
	/** Requests since the last call. */
	counts(): Promise<z.infer<typeof countsSchema>>;
	stop(): void;
}

export async function startService(): Promise<ServiceProcess> {
	const child = fork(path.join(__dirname, 'simulatorProcess.ts'));
	const said = async (): Promise<unknown> => (await once(child, 'message'))[0];
	const { baseUrl } = startedSchema.parse(await said());
	return {
		baseUrl,
		counts: async () => {
			child.send('counts');
			return countsSchema.parse(await said());
		},
		stop: () => child.disconnect(),
	};
}
