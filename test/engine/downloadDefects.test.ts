/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { buffer } from 'node:stream/consumers';
import { setTimeout as realSleep } from 'node:timers/promises';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { useBinaryStorage } from '../support/binaryStorage';
import { errorOf } from '../support/engine';
import {
	CONTINUE,
	hintsOf,
	idsOf,
	numbered,
	status,
	statusesOf,
	useEngine,
} from '../support/useEngine';

/** The defects of `defects.test.ts` that are about the files of completed tasks. */
useBinaryStorage();
const { simulator, run, runNode, click, taskOf } = useEngine({
	parameters: { downloadResults: true },
});

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
	expect(hintsOf(result)).toContain('warning');
	expect(hintsOf(result)).not.toMatch(/not (?:made|created|generated)|no video/i);
});

test('defect 5: in the editor, every click on a completed video with a dead link says that it was reused, from where, and how to get another', async () => {
	deadLinks();
	await click(['one'], { executionId: 'first' });
	const { id } = taskOf('one');
	const { context, description } = errorOf(await click(['one']));
	expect(context).toMatchObject({ kind: 'download', taskId: id });
	expect(description).toContain('execution first');
	expect(description).toContain('Reuse Videos in Editor');
	simulator.reset();
	const another = await click(['one'], { more: { options: { reuseInEditor: false } } });
	expect(idsOf(another)).toEqual([taskOf('one').id]);
	expect(taskOf('one').id).not.toBe(id);
});

test('defect 12: n8n’s database, which holds a file in memory before it stores it, gets one at a time', async () => {
	// Tasks that are completed already, whose files are asked for in the same moment.
	const items = numbered(4).map((prompt) => ({
		id: simulator.addTask({ prompt, status: 'completed' }).id,
	}));
	const parameters = { operation: 'getTask', taskId: '={{ $json.id }}', downloadResults: true };
	expect(statusesOf(await runNode({ parameters, items }))).toEqual(items.map(() => 'completed'));
	expect(mostAtOnce).toBe(1);
});
