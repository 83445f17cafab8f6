import type { N8nVersion } from '../../n8n/recipes';
import type { NewWorkflow } from '../../n8n/workflows';
import { Suite, type PublishedWorkflow } from '../beds/suite';
import { startTestbed } from '../beds/testbed';
import { bucketAndMailOf, openLink } from '../bucketAndMail';
import { STANDING_STILL, STARTED_TIMEOUT_MS, isPolled } from '../vocabulary';
import { APPROVE, APPROVE_BUTTON, approveThenFinal } from './approveThenFinal';
import { DAILY, DAILY_VIDEOS, dailyVideos, expectVideos } from './dailyVideos';

interface Row {
	recipe: string;
	killed: string;
	/** Tasks that existed then. */
	before: number;
	/** Tasks that exist when it has been brought to its end. */
	inTheEnd: number;
}

interface ApproveCase extends Omit<Row, 'recipe'> {
	/** The execution is asleep when n8n is killed, and goes on without Retry. */
	rests?: boolean;
	/** Brings the recipe to where n8n is to be killed. */
	reach: () => Promise<void>;
}

/** With the switch that the notes of both recipes ask for. */
const withSavedProgress = (workflow: NewWorkflow): NewWorkflow => ({
	...workflow,
	settings: { ...workflow.settings, saveExecutionProgress: true },
});

/** What the recipes with bucket and mail have paid for when n8n dies by `kill -9`. */
export function testRecipeKill(version: N8nVersion): void {
	describe('a recipe with bucket and mail, when n8n is killed', () => {
		const n8n = new Suite(version, startTestbed);
		const outside = bucketAndMailOf(n8n);
		const rows: Row[] = [];
		let running: PublishedWorkflow;
		beforeEach(() => n8n.sim.reset());
		afterAll(() => console.table(rows));

		const call = async (workflow: NewWorkflow) => {
			running = await n8n.publishCalled(workflow);
			await running.call('');
		};
		/** Resolves when n8n waits for so many tasks, made after the first few. */
		const untilPolled = async (count: number, after = 0) => {
			const arePolled = () => {
				const tasks = n8n.tasks().slice(after);
				return tasks.length === count && tasks.every((task) => isPolled(n8n.sim, task));
			};
			await n8n.sim.waitForRequest(arePolled, STARTED_TIMEOUT_MS);
		};
		/** Kills n8n, and starts it again when bucket, mail server and service work. */
		const killAndRestart = async (): Promise<number> => {
			const before = n8n.tasks().length;
			await n8n.bed.kill();
			outside().bucket.door.open();
			outside().mailbox.door.open();
			for (const { id } of n8n.tasks()) n8n.sim.finish(id);
			await n8n.bed.restart();
			return before;
		};
		const pressRetry = async () =>
			await n8n.api.startRetry((await running.firstExecution('crashed')).id);
		const approve = async (executionId: string) => {
			await n8n.api.waitForStatus(executionId, 'waiting');
			await openLink(String(outside().mailbox.mails.at(-1)?.linkOf(APPROVE_BUTTON)));
		};
		const note = (recipe: string, killed: string, before: number) =>
			rows.push({ recipe, killed, before, inTheEnd: n8n.tasks().length });

		describe(DAILY, () => {
			const { length: count } = DAILY_VIDEOS;
			/** The creates of the other videos are under way, and come to nothing. */
			const untilCreated = async (created: number) => {
				n8n.sim.planTask({ ...STANDING_STILL, times: created });
				for (const { prompt } of DAILY_VIDEOS.slice(created)) {
					n8n.sim.script({ on: 'create', prompt, fault: { kind: 'hang' } });
				}
				await untilPolled(created);
			};
			it.each([
				...DAILY_VIDEOS.map((_, index) => ({
					killed: `after create ${index + 1} of ${count}, while Create Video waits`,
					existing: index + 1,
					inTheEnd: index + 1 + count,
					untilMoment: async () => await untilCreated(index + 1),
				})),
				{
					killed: 'during the upload',
					...{ existing: count, inTheEnd: count },
					untilMoment: async () => await outside().bucket.door.hold(),
				},
				{
					killed: 'while the mail is sent',
					...{ existing: count, inTheEnd: count },
					untilMoment: async () => await outside().mailbox.door.hold(),
				},
			])('$killed: $inTheEnd tasks in the end', async (wanted) => {
				const { killed, existing, inTheEnd, untilMoment } = wanted;
				const moment = untilMoment();
				await call(withSavedProgress(dailyVideos(outside())));
				await moment;
				const before = await killAndRestart();
				await n8n.ended(await pressRetry());

				note(DAILY, killed, before);
				expect([before, n8n.tasks().length]).toEqual([existing, inTheEnd]);
				const [mail, ...others] = outside().mailbox.mails;
				if (mail === undefined) throw new Error('There is no mail');
				expect(others).toEqual([]);
				const last = n8n.tasks().slice(-count);
				const idOf = (wanted: string) => String(last.find(({ prompt }) => prompt === wanted)?.id);
				await expectVideos(
					mail,
					DAILY_VIDEOS.map(({ title, prompt }) => ({ title, id: idOf(prompt) })),
				);
			});
		});

		describe(APPROVE, () => {
			const start = async (switched = withSavedProgress) =>
				await call(switched(approveThenFinal(outside().credentials)));
			const startAndApprove = async () => {
				await start();
				await running.untilFirstIs('waiting');
				n8n.sim.planTask(STANDING_STILL);
				await approve(await running.firstExecutionId());
				await untilPolled(1, 1);
			};
			const cases: ApproveCase[] = [
				{
					killed: 'while the draft is made',
					...{ before: 1, inTheEnd: 3 },
					reach: async () => {
						n8n.sim.planTask(STANDING_STILL);
						await start();
						await untilPolled(1);
					},
				},
				{
					killed: 'while the mail with the buttons is sent',
					...{ before: 1, inTheEnd: 2 },
					reach: async () => {
						const held = outside().mailbox.door.hold();
						await start();
						await held;
					},
				},
				{
					killed: 'while the mail waits, without that switch',
					...{ before: 1, inTheEnd: 2, rests: true },
					reach: async () => {
						await start((workflow) => workflow);
						await running.untilFirstIs('waiting');
					},
				},
				{
					killed: 'while the final is made',
					...{ before: 2, inTheEnd: 3 },
					reach: startAndApprove,
				},
				{
					killed: 'while the last mail is sent',
					...{ before: 2, inTheEnd: 2 },
					reach: async () => {
						await startAndApprove();
						const held = outside().mailbox.door.hold();
						for (const { id } of n8n.tasks()) n8n.sim.finish(id);
						await held;
					},
				},
			];

			it.each(cases)('$killed: $before tasks, $inTheEnd in the end', async (wanted) => {
				const { killed, before, inTheEnd, rests, reach } = wanted;
				await reach();
				expect(await killAndRestart()).toBe(before);
				const executionId = rests ? await running.firstExecutionId() : await pressRetry();
				if (before === 1) await approve(executionId);
				await n8n.ended(executionId);

				note(APPROVE, killed, before);
				expect(n8n.sim.creates()).toHaveLength(inTheEnd);
				const [result] = n8n.tasks().at(-1)?.results() ?? [];
				const { text, subject } = outside().mailbox.mails.at(-1) ?? {};
				expect(subject).toBe('Your video is ready');
				expect(text).toContain(result);
			});
		});
	});
}
