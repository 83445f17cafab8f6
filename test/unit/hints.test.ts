import { linksHint } from '../../nodes/Videogen/messages/hints';

test.each([
	[
		['task_1'],
		true,
		"The link usually stops working after about a day: save what you want to keep, or use Get Task with ID task_1 and 'Download Results' on, in a new workflow, which costs nothing more.",
	],
	[
		['task_1'],
		false,
		"The link usually stops working after about a day: save what you want to keep, or use Get Task with ID task_1 and 'Download Results' on, which costs nothing more.",
	],
	[
		['task_1', 'task_2'],
		true,
		"Links usually stop working after about a day: save what you want to keep, or use Get Task with the IDs and 'Download Results' on, in a new workflow, which costs nothing more.",
	],
])('what is said beside the output of links to %j, created: %s', (taskIds, areCreated, said) => {
	expect(linksHint(taskIds, areCreated)).toBe(said);
});
