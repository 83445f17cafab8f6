import { buildingHint, linksHint } from '../../nodes/Videogen/messages/hints';

describe('what is said beside the output', () => {
	test.each([
		[
			['task_1'],
			true,
			'Links to videos usually stop working after about a day. To keep a video, open its link now, or use Get Task with ID task_1 and Download Results on, in a new workflow. Neither costs anything.',
		],
		[
			['task_1'],
			false,
			'Links to videos usually stop working after about a day. To keep a video, open its link now, or use Get Task with ID task_1 and Download Results on. Neither costs anything.',
		],
		[
			['task_1', 'task_2'],
			true,
			'Links to videos usually stop working after about a day. To keep a video, open its link now, or use Get Task with the IDs and Download Results on, in a new workflow. Neither costs anything.',
		],
	])('of links to %j, created: %s', (taskIds, areCreated, said) => {
		expect(linksHint(taskIds, areCreated)).toBe(said);
	});

	test.each([
		[false, 'pin this output'],
		[true, 'press Execute step in them'],
	])('of building on, with files: %s', (hasFiles, said) => {
		expect(buildingHint(hasFiles)).toContain(
			`To build the next nodes without creating, and paying for, the video again, ${said}`,
		);
	});
});
