import type { Rule } from '../../tools/simulator';
import {
	ALL_CALLS,
	CALLS,
	CREATES,
	CREATES_AFTER_FAILURE,
	playMatrix,
	PROMPTS,
	WAITING,
} from './support/faultMatrix';
import { FAULTS } from './support/faults';
import type { FaultExecution } from './support/faultScene';
import { CONTINUE, ERROR_OUTPUT, RESEND, tries } from '../support/useEngine';

/** Retry On Fail, and a person who presses Retry: the first try of each is a node without them. */
const scene = playMatrix([
	{ way: 'continue and Retry On Fail', settings: { ...tries(2), ...CONTINUE }, calls: CALLS },
	{
		way: 'error output and Retry On Fail',
		settings: { ...tries(2), ...ERROR_OUTPUT },
		calls: CALLS,
	},
	{ way: 'Retry On Fail', settings: tries(3), calls: ALL_CALLS, hasAllStatuses: true },
	{ way: 'Retry execution', retries: 2, calls: ALL_CALLS },
	{
		way: 'Retry execution of a click',
		retries: 2,
		isRetryOfClick: true,
		calls: [...CREATES, ...CREATES_AFTER_FAILURE],
	},
	{
		way: 'Retry execution in another process, with an expression that changes by itself',
		retries: 2,
		isNewProcess: true,
		changesByItself: true,
		calls: ALL_CALLS,
	},
]);

/** What a person sends again, and what then gets a no, may still have made a task. */
describe('sent again by a person after an answer that may have made a task, then answered', () => {
	const unclear = FAULTS.filter(({ saysNo, isVariant }) => !saysNo && !isVariant);
	const noes = FAULTS.filter(({ saysNo, asksToWait }) => saysNo && !asksToWait);
	const resending = { ...WAITING, options: { ...WAITING.options, ...RESEND.options } };
	const asked: FaultExecution = { prompts: PROMPTS, settings: {}, more: WAITING };
	const executions = [asked, { ...asked, settings: tries(3), more: resending }, asked];

	test.each(noes)('$name: it is sent no third time', async ({ fault }) => {
		const wrong: string[] = [];
		for (const first of unclear) {
			const rule: Rule = { on: 'create', prompt: 'one', createTask: true, fault: first.fault };
			const rules: Rule[] = [rule, { on: 'create', prompt: 'one', fault }];
			await scene.play({ rules, executions });
			const { length } = scene.simulator.creates().filter(({ prompt }) => prompt === 'one');
			const found = [...scene.violations(), ...(length > 2 ? [`it is sent ${length} times`] : [])];
			wrong.push(...found.map((text) => `${first.name}: ${text}\n${scene.describe()}`));
		}
		expect(wrong).toEqual([]);
	});
});
