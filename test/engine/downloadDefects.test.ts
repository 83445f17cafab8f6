import { buffer } from 'node:stream/consumers';
import { setTimeout as realSleep } from 'node:timers/promises';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { useBinaryStorage } from '../support/binaryStorage';
import { fastClock } from '../support/fastClock';
import { errorOf, type RunResult } from '../support/engine';
import {
	CONTINUE,
	type Given,
	hintsOf,
	idsOf,
	status,
	statusesOf,
	useEngine,
} from '../support/useEngine';

/** The defects of `defects.test.ts` that are about the files of completed tasks. */
useBinaryStorage();
const { simulator, newProcess, run, taskOf } = useEngine({
	clock: fastClock(),
	parameters: { downloadResults: true },
});

let process: ReturnType<typeof newProcess>;
beforeEach(() => (process = newProcess()));
const click = async (given: Given = {}): Promise<RunResult> =>
	await run(['one'], { mode: 'manual', process, ...given });

const deadLinks = () => simulator.script({ on: 'result', times: Infinity, fault: status(403) });

/** How many files n8n's database, which this plays, has got at once at most. */
let mostAtOnce = 0;
beforeEach(() => {
	mostAtOnce = 0;
	let atOnce = 0;
	jest
		.spyOn(Container.get(BinaryDataService), 'store')
		.mockImplementation(async (_place, body, file) => {
			atOnce += 1;
			mostAtOnce = Math.max(mostAtOnce, atOnce);
			if (!Buffer.isBuffer(body)) await buffer(body);
			// Others may come meanwhile.
			await realSleep(100);
			atOnce -= 1;
			return { ...file, data: 'database', id: 'database:1' };
		});
});

test('defect 4: a hint does not say that a video was not made which is completed and only not downloaded', async () => {
	deadLinks();
	const result = await run(['one'], { settings: CONTINUE });
	expect(result.output[0]?.json.error).toMatchObject({
		kind: 'download',
		taskId: taskOf('one').id,
	});
	expect(hintsOf(result)).toContain('1 of 1');
	expect(hintsOf(result)).not.toMatch(/not (?:made|created|generated)|no video/i);
});

test('defect 5: in the editor, every click on a completed video with a dead link says that it was reused, from where, and how to get another', async () => {
	deadLinks();
	await click({ executionId: 'first' });
	const { id } = taskOf('one');
	const { context, description } = errorOf(await click());
	expect(context).toMatchObject({ kind: 'download', taskId: id });
	expect(description).toContain('execution first');
	expect(description).toContain('Reuse Videos in Editor');
	simulator.reset();
	const another = await click({ more: { options: { reuseInEditor: false } } });
	expect(idsOf(another)).toEqual([taskOf('one').id]);
	expect(taskOf('one').id).not.toBe(id);
});

test('defect 12: n8n’s database, which holds a file in memory before it stores it, gets one at a time', async () => {
	const prompts = Array.from({ length: 4 }, (_, index) => `number ${index}`);
	const result = await run(prompts);
	expect(statusesOf(result)).toEqual(prompts.map(() => 'completed'));
	expect(mostAtOnce).toBe(1);
});
