import type { ServiceError } from '../../nodes/Videogen/service/answer';
import { LABELS, type Message } from '../../nodes/Videogen/ground/words';
import { serviceErrorMessage, wordsOfFailed } from '../../nodes/Videogen/service/answerWords';
import type { GenerationRequest } from '../../nodes/Videogen/service/contract/request';
import { messageIn } from '../../nodes/Videogen/service/errorPayload';
import { taskOf } from '../programs/support/orders';
import { network, status, unreadable } from '../programs/support/fakeService';

/** What holds for every message: a heading without a full stop, then whole sentences. */
function expectPlain({ message, description }: Message): void {
	expect(message).toMatch(/^(?:n8n |[A-Z]).*[^.\s]$/);
	expect(description).toMatch(/^[A-Z“].*\.$/);
	expect(`${message} ${description}`).not.toMatch(/undefined|null|\[object|NaN| {2}|\.\./);
	expect(`${message} ${description}`).not.toMatch(/E[A-Z]{4,}|HTTP|payload|endpoint|schema/);
}

type Said = [what: string, next: string];
const CHECK_URL = "Check 'Base URL'";
const CHECK_WAY = `${CHECK_URL} in the Videogen credential (https:// or http://, typing mistakes), and that the machine of n8n can reach the service.`;
const LATER = 'Try again later.';

const answers: Array<[ServiceError, create: Said, read?: Said]> = [
	[status(302), ['The URL of the service redirects (302)', 'Use the final URL, up to where']],
	[
		{ ...status(302), location: 'https://e.com/' },
		['The URL of the service redirects to https://e.com/ (302)', 'Use the final URL'],
	],
	[
		{ ...status(400), serviceMessage: 'Sorry' },
		['Request not accepted (400)', 'The service says: “Sorry”. Check the prompt'],
		['Task ID not accepted (400)', 'The service says: “Sorry”. Use the "id"'],
	],
	[status(401), ['API key not accepted (401)', `Paste the key again. ${CHECK_URL}`]],
	[status(402), ['Balance too low (402)', 'Top up your account']],
	[status(403), ['API key without access (403)', "Check in the provider's console what this key"]],
	[status(404), ['Wrong Base URL (404)', CHECK_URL], ['Task not found (404)', "Check 'Task ID'"]],
	[status(413), ['Request too large (413)', 'Shorten the prompt or give fewer references']],
	[status(418), ['The service refused the request (418)', 'Check the fields of this item and']],
	[
		status(429),
		['Rate limit reached (429)', "lower 'Max Concurrent Tasks' in 'Options'"],
		['Rate limit reached (429)', 'read fewer tasks at once'],
	],
	...[299, 408, 425, 460, 499].map((code): [ServiceError, Said] => [
		status(code),
		[`The service gave no clear answer (${code})`, LATER],
	]),
	...[500, 501, 503, 521, 599].map((code): [ServiceError, Said, Said] => [
		status(code),
		[
			`The service returned a server error (${code})`,
			'Run this item again later: the node does not send it again by itself',
		],
		[`The service returned a server error (${code})`, LATER],
	]),
	[network('connectionRefused'), ['No connection to the service', CHECK_WAY]],
	[network('noRoute'), ['No network route to the service', CHECK_WAY]],
	[network('unknownHost'), ['Host name of the service not found', CHECK_WAY]],
	[network('tls'), ['No secure connection to the service', CHECK_WAY]],
	[network('timeout'), ['No answer from the service in time', LATER]],
	[network('lost'), ['The connection to the service was lost before an answer came', LATER]],
	[network('blocked'), ['n8n blocks the URL of the service', 'Ask who runs this n8n']],
	[unreadable('empty'), ['The answer of the service is empty', CHECK_URL]],
	[unreadable('html'), ['A web page came instead of an answer of the service', CHECK_URL]],
	[unreadable('notJson'), ['The answer of the service is not JSON', CHECK_URL]],
	[unreadable('notTask'), ['The answer of the service is not a task record', CHECK_URL]],
	[unreadable('tooLarge'), ['The answer of the service is larger than 1 MB', CHECK_URL]],
	[unreadable('otherTask'), ['The answer of the service is about another task', CHECK_URL]],
];

describe('an answer without a task', () => {
	test.each(answers)('%j says what it means and what to do', (error, create, read = create) => {
		for (const [during, [what, next]] of [['create', create] as const, ['read', read] as const]) {
			const said = serviceErrorMessage(error, during);
			expect(said).toEqual({ message: what, description: expect.stringContaining(next) });
			expectPlain(said);
		}
	});

	test.each([
		[60_000, ''],
		[60_001, 'The service asks to wait for 2 minutes. '],
		[7_140_000, 'The service asks to wait for 119 minutes. '],
		[7_200_000, 'The service asks to wait for 2 hours. '],
	])('says of 429 that it asks to wait for %i ms', (askedMs, words) => {
		const { description } = serviceErrorMessage(status(429, askedMs), 'create');
		expect(description).toBe(`${words}${serviceErrorMessage(status(429), 'create').description}`);
	});

	test('keeps the request id at the end of what the service says, however long that is', () => {
		const said = `${'Too long. '.repeat(100)}(request id: req_42)`;
		const refused = { ...status(400), serviceMessage: messageIn({ error: { message: said } }) };
		expect(serviceErrorMessage(refused, 'create').description).toContain('(request id: req_42)');
	});
});

describe('a refused create', () => {
	const refusal = (more: object): ServiceError => ({ ...status(400), ...more });
	const CHECK_FAMILY = 'Check Model Family in the Videogen credential';

	test.each([
		{ param: 'model' },
		{ param: 'model', serviceMessage: 'Unsupported value' },
		{ serviceMessage: 'Unknown model “videogen-9-text-to-video”' },
		{ serviceMessage: 'model: must be one of a, b' },
	])('whose model was refused points to the credential first: %j', (more) => {
		expect(serviceErrorMessage(refusal(more), 'create').description).toContain(CHECK_FAMILY);
		expect(serviceErrorMessage(refusal(more), 'read').description).not.toContain(CHECK_FAMILY);
	});

	test.each([
		{},
		{ param: 'prompt', serviceMessage: 'Refused by the moderation model' },
		{ serviceMessage: 'model_params.seed: must be a number' },
		{ status: 403, serviceMessage: 'No access to this model' },
	])('whose model was not refused does not: %j', (more) => {
		expect(serviceErrorMessage(refusal(more), 'create').description).not.toContain(CHECK_FAMILY);
	});

	test('whose model nothing is known of points to Model Family, not to Base URL', () => {
		const unknown = { ...status(404), isJson: true, serviceMessage: 'Unknown model “x”' };
		const { message, description } = serviceErrorMessage(unknown, 'create');
		expect(message).toBe('Model not found (404)');
		expect(description).toContain(CHECK_FAMILY);
		expect(description).not.toContain('Base URL');
		for (const other of [{ isJson: false }, { serviceMessage: 'No route' }]) {
			const { description: said } = serviceErrorMessage({ ...unknown, ...other }, 'create');
			expect(said).toContain('Base URL');
			expect(said).not.toContain(CHECK_FAMILY);
		}
	});
});

describe('a failed task', () => {
	const ANYTHING = 'Change the prompt or the files, and run';
	const CHANGE_OR_WAIT = 'Run this item again later, or with another prompt.';
	const failed = (error: unknown, request?: GenerationRequest): Message => {
		const message = wordsOfFailed(taskOf('task_1', 'failed', { error }), request);
		expect(message.description).toMatch(
			/^Task task_1 failed.* Ask your provider whether failed videos cost money\.$/,
		);
		expectPlain(message);
		return message;
	};

	/** What is moderation, and where the words of an error are, stands in `serviceMessage.test.ts`. */
	test.each([
		[{ code: 'policy', message: 'Flagged.' }, 'refused this video: Flagged', ANYTHING],
		[
			{ code: 'quota', message: 'No more' },
			'did not make this video: No more',
			'Check the balance',
		],
		['Not enough credits', 'did not make this video: Not enough credits', 'Check the balance'],
		[{ code: 'x', message: 'No. 5 broke' }, 'did not make this video: No. 5 broke', CHANGE_OR_WAIT],
		[{ code: 'busy' }, 'did not make this video: busy', CHANGE_OR_WAIT],
		[undefined, 'did not make this video and gives no reason', CHANGE_OR_WAIT],
	])('with the error %j says so in its title, and what to do', (error, title, advice) => {
		const { message, description } = failed(error);
		expect(message).toBe(`The service ${title}`);
		expect(description).toContain(advice);
	});

	test('names its code unless that is all that was said, and the request id only below', () => {
		expect(failed({ code: 'busy', message: 'No' }).description).toContain('failed (busy). ');
		expect(failed({ code: 'busy' }).description).toContain('failed. ');
		const said = failed({ code: 'busy', message: 'No room left (request id: req_42)' });
		expect(said.message).toBe('The service did not make this video: No room left');
		expect(said.description).toContain('Task task_1 failed (busy) (request id: req_42).');
	});

	const asked = { model: 'any', prompt: 'A fox' };
	const policy = { code: 'policy', message: 'Flagged' };
	test.each([
		[asked, 'Change the prompt, and run this item again.'],
		[{ ...asked, image_urls: ['x'] }, ANYTHING],
		[{ ...asked, video_urls: ['x'] }, ANYTHING],
	])('that was asked for with %j is told what to change', (request, advice) => {
		expect(failed(policy, request).description).toContain(` ${advice}`);
	});

	test.each([
		[{ code: 'audio_moderation', message: 'Flagged' }, true],
		[{ code: 'policy', message: 'The sound was flagged' }, true],
		[{ code: 'policy', message: 'Flagged' }, false],
		[{ code: 'unknown_error', message: 'No audio' }, false],
	])('with %j is told of audio: %s', (error, isOfAudio) => {
		const advice = `Change the prompt, or switch off '${LABELS.generateAudio}', and run this item again.`;
		expect(failed(error, asked).description.includes(advice)).toBe(isOfAudio);
	});
});
