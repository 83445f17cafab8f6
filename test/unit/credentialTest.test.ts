import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	BASE,
	CREDENTIAL_ANSWERS,
	json,
	KEY,
	testing,
	UNUSABLE,
} from '../programs/support/credentialTestContext';

describe('the test of a credential', () => {
	const OK = { status: 'OK', message: 'The service accepted the API key' };
	const READ = '/v1/tasks/n8n-credential-test';

	test.each([
		json(400, {}),
		json(400, { error: { code: 'invalid_task_id', message: 'No' } }),
		json(404, { error: { code: 'task_not_exist', message: 'No' } }),
		json(200, { code: 404, message: 'no such task' }),
		json(200, { id: 'n8n-credential-test', status: 'failed' }),
	])('takes a key that is answered %j, with one read that creates nothing', async (answer) => {
		const { asked, ...result } = await testing(() => answer);
		expect(result).toEqual(OK);
		const headers = { accept: 'application/json', Authorization: `Bearer ${KEY}` };
		expect(asked).toMatchObject([{ uri: `${BASE}${READ}`, headers }]);
	});

	test.each<ICredentialDataDecryptedObject>([{}, { apiKey: '', baseUrl: '' }])(
		'is well for practice, without a request, whatever the other fields hold: %j',
		async (more) => {
			expect(await testing(() => json(401, {}), { environment: 'practice', ...more })).toEqual({
				status: 'OK',
				message: expect.stringContaining('shows the word PRACTICE'),
				asked: [],
			});
		},
	);

	/** The answers to an unknown task, to an unknown path beside it, and to a GET of the create path. */
	type Answers = [task: object, unknown: object, create: object, createStatus?: number];
	const cannotGet = (path: string) => ({ message: `Cannot GET /wrong/v1/${path}` });
	const notFound = { detail: 'Not Found' };
	const numbered = (id: number) => ({ error: { message: `Nothing here (request id: ${id})` } });
	const atPath = (path: string) => ({ error: 'Not Found', path, timestamp: path.length });

	const saidBy = async ([task, unknown, create, createStatus = 404]: Answers, baseUrl: string) => {
		const answer = (path: string) => {
			if (path.endsWith(READ)) return json(404, task);
			return path.endsWith('/v1/n8n-credential-test')
				? json(404, unknown)
				: json(createStatus, create);
		};
		return (await testing(answer, { baseUrl })).message;
	};

	test.each<[what: string, answers: Answers]>([
		['in the same words', [notFound, notFound, notFound]],
		[
			'with their paths',
			[cannotGet('tasks/n8n-credential-test'), cannotGet('n'), cannotGet('videos/generations')],
		],
		['with a number each', [numbered(1), numbered(2), numbered(3)]],
		['with facts beside the words', [atPath('/a'), atPath('/b'), atPath('/ccc')]],
	])('tells a path under which all is answered %s', async (_what, answers) => {
		expect(await saidBy(answers, 'https://e.com/wrong/v1')).toContain('Remove “/wrong” from');
		expect(await saidBy(answers, 'https://e.com')).toContain('Compare Base URL');
	});

	test.each<[what: string, answers: Answers]>([
		['the create path knows other methods', [notFound, notFound, notFound, 405]],
		['its words for an unknown path differ', [notFound, { detail: 'No route' }, notFound]],
		['its words name a task', [{ detail: 'Task not found' }, notFound, notFound]],
		['its code names a task', [{ code: 'task_gone', message: 'No' }, notFound, notFound]],
	])('takes a path for that of the service when %s', async (_what, answers) => {
		expect(await saidBy(answers, BASE)).toBe(OK.message);
	});

	test.each(CREDENTIAL_ANSWERS)('does not take %j, in one read', async (answer) => {
		const { status, message, asked } = await testing(() => answer);
		expect(status).toBe('Error');
		expect(message).not.toContain('<');
		expect(asked).toHaveLength(1);
	});

	test.each(UNUSABLE)('is refused without a request for %j', async (data) => {
		const { status, message, asked } = await testing(() => json(200, {}), data);
		expect(status).toBe('Error');
		expect(message).not.toContain('secret');
		expect(asked).toEqual([]);
	});
});
