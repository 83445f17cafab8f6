import { practiceService } from '../../../nodes/Videogen/service/practice';

const CREATED_AT = Date.UTC(2026, 10, 24);

/** A service at so many seconds after the moment of every create here; it shares nothing with others. */
const after = (seconds: number) => practiceService(() => CREATED_AT + seconds * 1_000);

async function idOf(prompt: string): Promise<string> {
	const request = { model: 'videogen-2.5-text-to-video', prompt };
	const answer = await after(0).create(request, 'key');
	if (answer.kind !== 'task') throw new Error('No task');
	return answer.task.id;
}

const recordAt = async (id: string, seconds: number) => {
	const answer = await after(seconds).read(id);
	return answer.kind === 'task' ? answer.task.record : answer.error;
};

/** It says that it is practice, and its URL leads nowhere. */
const COMPLETED = {
	id: expect.stringMatching(/^practice-/),
	model: 'videogen-2.5-text-to-video',
	usage: { practice: true },
	results: [expect.stringMatching(/^https:\/\/practice\.invalid\//)],
};

test.each([
	['A fox', 0, { status: 'pending', progress: 0 }],
	['A fox', 3, { status: 'processing', progress: 50 }],
	['A fox', 6, { status: 'completed', progress: 100, ...COMPLETED }],
	['A fox', -60, { status: 'pending', progress: 0 }],
	['A fox [failed]', 6, { status: 'failed', error: { code: 'practice_failed' } }],
])('a practice task for %j is after %d seconds %j', async (prompt, seconds, record) => {
	expect(await recordAt(await idOf(prompt), seconds)).toMatchObject(record);
});

test('two tasks of the same moment and prompt are two', async () => {
	expect(await idOf('A fox')).not.toBe(await idOf('A fox'));
});

test('an id that is cut off, malformed or of a service is not known', async () => {
	const id = await idOf('A fox');
	const wrong = [id.slice(0, -1), id.replace('-0-', '-3-'), `${id}0`, 'task_1', 'practice-', ''];
	for (const one of wrong) {
		expect(await after(0).read(one)).toMatchObject({ error: { kind: 'status', status: 404 } });
	}
});
