import fc from 'fast-check';
import type { Answer } from '../../nodes/Videogen/service/answer';
import { ServiceClient } from '../../nodes/Videogen/service/client';
import { type ItemResult, outputItem, resultOf } from '../../nodes/Videogen/run/output';
import type { Entry } from '../../nodes/Videogen/tasks/entry';
import { entryWith } from '../support/entries';
import { pollution, unreadable } from '../support/fuzz';
import type { RawReply } from '../support/hostileReplies';
import { hostileReply } from '../support/hostileReplies';

const RUNS = 1_500;
const MOST_MESSAGE_CHARACTERS = 700;
/** An ID is whole in it. */
const MOST_DESCRIPTION_CHARACTERS = 50_000;
const REQUEST = { model: 'videogen-2.5-text-to-video', prompt: 'fox' };

/** A client of a service that always answers like this. */
const clientOf = ({ status, headers, body }: RawReply): ServiceClient =>
	new ServiceClient(
		async () => await Promise.resolve({ statusCode: status, headers, body: body.toString('utf8') }),
		'https://api.example.com',
		() => 0,
	);

/** Entries with all outcomes that an answer can lead to. */
function entriesOf(answer: Answer): Entry[] {
	if (answer.kind === 'error') {
		const { error } = answer;
		return [
			entryWith({ kind: 'notCreated', error, mayExist: true }),
			entryWith({ kind: 'notCreated', error, mayExist: false }),
			entryWith({ kind: 'notRead', taskId: 'task_1', error }),
			entryWith({ kind: 'timedOut', taskId: 'task_1', error }),
		];
	}
	const { task } = answer;
	return (['done', 'failed', 'timedOut', 'noCallback', 'stopped'] as const).map((kind) =>
		entryWith({ kind, task }),
	);
}

function objections(result: ItemResult): string[] {
	if ('json' in result) return [];
	const { message, description } = result.error;
	return [
		...unreadable(message, MOST_MESSAGE_CHARACTERS).map((text) => `message: ${text}`),
		...unreadable(description, MOST_DESCRIPTION_CHARACTERS).map((text) => `description: ${text}`),
	];
}

async function expectReadable(answer: Promise<Answer>): Promise<void> {
	for (const entry of entriesOf(await answer)) {
		const result = resultOf(entry);
		expect(objections(result)).toEqual([]);
		expect(Object.getPrototypeOf(outputItem(result, 0).json)).toBe(Object.prototype);
	}
	expect(pollution()).toEqual([]);
}

describe('whatever the service answers', () => {
	test('a create comes to a task or to a message that can be read', async () => {
		await fc.assert(
			fc.asyncProperty(hostileReply, async (reply) => {
				await expectReadable(clientOf(reply).create(REQUEST));
			}),
			{ numRuns: RUNS },
		);
	});

	test('a read comes to a task or to a message that can be read', async () => {
		await fc.assert(
			fc.asyncProperty(hostileReply, fc.constantFrom('task_1', '7', 'ü🦊'), async (reply, id) => {
				await expectReadable(clientOf(reply).read(id));
			}),
			{ numRuns: RUNS },
		);
	});
});
