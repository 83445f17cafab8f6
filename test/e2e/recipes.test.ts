import { exampleFiles } from '../programs/realN8n/examples';
import { Suite } from './beds/suite';
import { startTestbed } from '../programs/realN8n/testbed';
import { CLAUDE, HAPPY_PATHS } from './recipes/happyPaths';
import { Kitchen } from './recipes/kitchen';
import { MISTAKES } from './recipes/mistakes';
import { testPracticeRuns } from './recipes/practice';
import { Visitor } from './recipes/visitor';
import { testTraces } from './suites/traces';
import { version } from './version';

/** The recipes, each as it is after a person has followed its notes. */
describe(`the recipes on n8n ${version}`, () => {
	const n8n = new Suite(version, startTestbed);
	const kitchen = Kitchen.in(n8n);
	const visitor = new Visitor(kitchen);
	beforeEach(async () => {
		n8n.sim.reset();
		await kitchen.clean();
	});

	testPracticeRuns(kitchen, visitor);

	it('are all tried', () => {
		const tried = new Set([...HAPPY_PATHS.map(({ recipe }) => recipe), CLAUDE]);
		expect([...tried].sort()).toEqual(exampleFiles());
	});

	it.each(HAPPY_PATHS)('$recipe gives $gives', async ({ play }) => await play(kitchen, visitor));

	it.each(MISTAKES)('$recipe, $mistake: $videos videos', async ({ videos, play }) => {
		await play(kitchen, visitor);
		expect(n8n.sim.tasks.size).toBe(videos);
	});

	testTraces(n8n);
});
