import { FaultScene } from '../programs/support/faultScene';
import { seededRandom } from '../programs/support/random';
import { randomScenario } from '../programs/support/randomScenario';

/**
 * Random faults, tasks and settings, the same for the same seed; see `FaultScene` for what must
 * hold. To play one run alone: RANDOM_FAULTS_SEED=… RANDOM_FAULTS_RUN=… npx jest randomFaults
 */
const { RANDOM_FAULTS_SEED, RANDOM_FAULTS_RUN } = process.env;
const SEED = Number(RANDOM_FAULTS_SEED ?? 20_260_301);
const RUNS = 1_400;
const RUNS_PER_TEST = 100;

const first = Number(RANDOM_FAULTS_RUN ?? 0);
const end = RANDOM_FAULTS_RUN === undefined ? RUNS : first + 1;
const batches = Array.from(
	{ length: Math.ceil((end - first) / RUNS_PER_TEST) },
	(_, index) => first + index * RUNS_PER_TEST,
).map((from) => ({ from, to: Math.min(from + RUNS_PER_TEST, end) - 1 }));

let scene: FaultScene;
let random: () => number;
let runCount = 0;
let violationCount = 0;
/** How many runs had something to withstand, were retried by hand, and clicked again in the editor. */
let faultedCount = 0;
let retriedCount = 0;
let clickedCount = 0;

beforeAll(async () => {
	scene = await FaultScene.start(() => random());
});
afterAll(async () => await scene.close());

async function violationsOf(run: number): Promise<string[]> {
	await scene.reset();
	random = seededRandom(SEED + run);
	const scenario = randomScenario(random);
	scene.simulator.takeOrderKeys(scenario.orderKeys);
	for (const rule of scenario.rules) scene.script(rule);
	for (const plan of scenario.plans) scene.plan(plan);
	let executions = 0;
	let end = 'error';
	for (const execution of scenario.executions) {
		if (end !== 'error' && !execution.isClick) break;
		executions += 1;
		end = (await scene.execute(execution)).status;
	}
	const violations = scene.violations();
	runCount += 1;
	violationCount += violations.length;
	if (scene.simulator.requests.some(({ fault }) => fault !== undefined)) faultedCount += 1;
	const isClicked = scenario.executions.at(-1)?.isClick;
	if (isClicked) clickedCount += 1;
	else if (executions > 1) retriedCount += 1;
	if (violations.length === 0) return [];
	const drawn = JSON.stringify(scenario, null, 2);
	return [
		`seed ${SEED}, run ${run}:\n${violations.join('\n')}\nin ${drawn}\nwent\n${scene.describe()}`,
	];
}

test.each(batches)('runs $from to $to', async ({ from, to }) => {
	const violations: string[] = [];
	for (let run = from; run <= to; run += 1) violations.push(...(await violationsOf(run)));
	expect(violations.join('\n\n')).toBe('');
});

test('has made all its runs, with faults in most of them', () => {
	if (RANDOM_FAULTS_RUN === undefined) {
		expect(runCount).toBe(RUNS);
		expect(faultedCount).toBeGreaterThan(RUNS / 2);
		expect(Math.min(retriedCount, clickedCount)).toBeGreaterThan(RUNS / 10);
	}
	process.stdout.write(
		`Random faults: ${runCount} runs, ${clickedCount} of them with clicks in the editor, seed ${SEED}, ${violationCount} violations\n`,
	);
});
