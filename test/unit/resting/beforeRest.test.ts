import { resumeJob, Scene } from '../../programs/support/waitingRun';

test('before a rest, each of 100 tasks is read once, however long the service takes', async () => {
	const scene = new Scene({ durationMs: 1, latencyMs: 3_000 });
	const ids = Array.from({ length: 100 }, (_, index) => scene.service.add(`task ${index}`).id);
	await scene.clock.sleep(10);
	const outcomes = await scene.run(
		ids.map((id, index) => resumeJob(id, `task ${index}`)),
		{ until: 'record' },
	);
	expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(100);
	expect(scene.service.reads).toHaveLength(100);
});
