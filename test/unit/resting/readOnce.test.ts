import { Timer } from '../../../nodes/Videogen/common/timer';
import type { TaskJob } from '../../../nodes/Videogen/tasks/job';
import { runTasks } from '../../../nodes/Videogen/tasks/runTasks';
import { VirtualClock } from '../../support/clocks';
import { FakeService } from '../../support/fakeService';

test('before a rest, each of 100 tasks is read once, however long the service takes', async () => {
	const clock = new VirtualClock();
	const service = new FakeService(clock, { durationMs: 1, latencyMs: 3_000 });
	const jobs = Array.from({ length: 100 }, (_, index): TaskJob => {
		const { id } = service.add(`task ${index}`);
		return {
			read: async (...request) => await service.read(...request),
			existing: { taskId: id, isOwn: true },
			wait: { intervalMs: 5_000, timeoutMs: 600_000, leaveAfterMs: 1 },
		};
	});
	await clock.sleep(10);
	const timer = new Timer(clock, new AbortController().signal);
	const outcomes = await runTasks(jobs, jobs.length, timer);
	expect(outcomes.filter(({ kind }) => kind === 'done')).toHaveLength(100);
	expect(service.reads).toHaveLength(100);
});
