import { DownloadError, WHYS } from '../../../nodes/Videogen/files/downloadError';
import { planned } from '../fields/planned';
import { getTask } from '../../../nodes/Videogen/operations/getTask';

test.each(['task_1', 'a b', '<b>1', 'a\nb', '"quoted"', 'a\u202eb'])(
	'the ID %j in a message can be pasted into Get Task',
	async (id) => {
		const { description } = new DownloadError('cutOff').failureOf(id);
		const shown = /with the ID (.*?)(?:,| and)/.exec(description)?.[1] ?? '';
		expect(shown).toMatch(/^[ -~]+$/);
		expect((await planned(getTask, { taskId: shown })).itemValues).toEqual({ taskId: id });
	},
);

test('only what another try could save is to be downloaded again', () => {
	const whys = Object.keys(WHYS).filter((why): why is keyof typeof WHYS => why in WHYS);
	const links = whys.filter((why) =>
		new DownloadError(why).failureOf('task_1').description.includes("'Download Results' off"),
	);
	expect(links).toEqual(['url', 'local', 'tooLarge']);
});
