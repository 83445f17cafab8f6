import { buildingHint, emptyPartsHint, linksHint } from '../../nodes/Videogen/messages/hints';

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

	test('of a prompt with an empty part', () => {
		expect(emptyPartsHint([{ part: '{{ $json.topic }}', items: [] }])).toBe(
			'A part of the prompt was empty: {{ $json.topic }}. Check the expression before you run this with more items.',
		);
	});

	test('of a prompt with empty parts in many items', () => {
		const parts = ['a', 'b', 'c', 'd'].map((part) => ({ part, items: [0, 1, 2, 3, 4, 5, 6] }));
		expect(emptyPartsHint(parts)).toContain(
			': a (item 0, 1, 2, 3, 4 and 2 more), b (item 0, 1, 2, 3, 4 and 2 more), c (item 0, 1, 2, 3, 4 and 2 more) and 1 more. ',
		);
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
