import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import {
	createVerdict,
	wordsOfCreate,
	wordsOfRead,
} from '../../../nodes/Videogen/service/answerTable';
import { messageIn } from '../../../nodes/Videogen/service/errorPayload';
import { network, status, unreadable } from '../../programs/support/fakeService';
import { expectPlain } from '../../programs/support/plainMessage';

type Said = [what: string, next: string];
const CHECK_URL = "Check 'Base URL' in the Videogen credential";
const CHECK_WAY = `${CHECK_URL} (https:// or http://, typing mistakes), and that the machine of n8n can reach the service.`;
const CONSOLE = "Look in the provider's console before you create it again";
const LATER = 'Try again later.';
const NO_TASK = ' Nothing was created for this item.';
const SO_MAY_EXIST = ', so a task may exist';
const BETWEEN = 'A server between n8n and the service answered';
const WHO = 'It may be a proxy, a firewall or a gateway';

const inText = (code: number): ServiceError => ({ ...status(code), isJson: false });

const answers: Array<[ServiceError, create: Said, read?: Said]> = [
	[status(302), ['The URL of the service redirects (302)', 'Use the final URL, up to where']],
	[
		{ ...status(302), location: 'https://e.com/' },
		['The URL of the service redirects to https://e.com/ (302)', 'Use the final URL'],
	],
	[
		{ ...status(400), serviceMessage: 'Sorry' },
		['Request not accepted (400)', 'The service says: “Sorry”. Check the prompt, the URLs'],
		['Task ID not accepted (400)', 'The service says: “Sorry”. Use the "id"'],
	],
	[
		status(401),
		['API key not accepted (401)', "Paste the key again, and check 'Base URL' in the Videogen"],
	],
	[status(402), ['Balance too low (402)', 'Top up your account']],
	[status(403), ['API key without access (403)', "Check in the provider's console what this key"]],
	[inText(403), [`${BETWEEN} (403)`, `${WHO}: ask who runs this n8n`]],
	[status(404), ['Wrong Base URL (404)', CHECK_URL], ['Task not found (404)', "Check 'Task ID'"]],
	[status(405), ['Wrong Base URL (405)', CHECK_URL]],
	[
		inText(407),
		[
			'A proxy between n8n and the service asks for a login (407)',
			'login of the proxy into HTTPS_PROXY',
		],
	],
	[
		status(410),
		['The service refused the request (410)', 'Check the fields of this item and'],
		['The service no longer has this task (410)', 'Services delete old tasks'],
	],
	[
		status(413),
		['Request too large (413)', 'Shorten the prompt or give fewer references'],
		['The service refused the request (413)', 'Check the fields'],
	],
	[status(418), ['The service refused the request (418)', 'Check the fields of this item and']],
	[
		status(429),
		['Rate limit reached (429)', "Try again later, or lower 'Max Concurrent Tasks' in 'Options'"],
		['Rate limit reached (429)', 'Try again later, or read fewer tasks at once'],
	],
	...[408, 425].map((code): [ServiceError, Said, Said] => [
		status(code),
		[`The service gave no clear answer (${code})${SO_MAY_EXIST}`, CONSOLE],
		[`The service gave no clear answer (${code})`, LATER],
	]),
	...[409, 422].map((code): [ServiceError, Said, Said] => [
		{ ...status(code), code: 'idempotency_conflict' },
		[
			`The service has had a request with the same order key (${code})${SO_MAY_EXIST}`,
			`To order another video, change 'Order Key' or 'Prompt'. ${CONSOLE}`,
		],
		[`The service refused the request (${code})`, 'Check the fields'],
	]),
	[
		{ ...status(409), serviceMessage: 'In use' },
		[
			`The service is still working on an earlier request with the same order key (409)${SO_MAY_EXIST}`,
			`The service says: “In use”. ${CONSOLE}`,
		],
		['The service refused the request (409)', 'The service says: “In use”. Check the fields'],
	],
	[
		{ ...status(400), namedTaskId: 'task_1' },
		[
			`The service answered with an error and named a task (400)${SO_MAY_EXIST}`,
			`Use Get Task with ID task_1, in a new workflow: that costs nothing more. ${CONSOLE}`,
		],
		['Task ID not accepted (400)', 'Use the "id"'],
	],
	...[500, 502, 599].map((code): [ServiceError, Said, Said] => [
		status(code),
		[`The service returned a server error (${code})${SO_MAY_EXIST}`, CONSOLE],
		[`The service returned a server error (${code})`, LATER],
	]),
	...[500, 503, 504].map((code): [ServiceError, Said, Said] => [
		inText(code),
		[`${BETWEEN} (${code})${SO_MAY_EXIST}`, `${WHO}. ${CONSOLE}`],
		[`${BETWEEN} (${code})`, `${WHO}: try again later.`],
	]),
	...[501, 503].map((code): [ServiceError, Said, Said] => [
		status(code),
		[
			`The service returned a server error (${code})`,
			'Run this item again later, or switch on Retry On Fail.',
		],
		[`The service returned a server error (${code})`, LATER],
	]),
	[inText(521), [`${BETWEEN} (521)`, `${WHO}: try again later.`]],
	[network('connectionRefused'), ['No connection to the service', CHECK_WAY]],
	[network('noRoute'), ['No network route to the service', CHECK_WAY]],
	[network('unknownHost'), ['Host name of the service not found', CHECK_WAY]],
	[network('connectTimeout'), ['No connection to the service in time', CHECK_WAY]],
	[network('tls'), ['No secure connection to the service', CHECK_WAY]],
	[network('blocked'), ['n8n blocks the URL of the service', 'Ask who runs this n8n']],
	[
		network('timeout'),
		[`No answer from the service in time${SO_MAY_EXIST}`, CONSOLE],
		['No answer from the service in time', LATER],
	],
	[
		network('lost'),
		[`The connection to the service was lost before an answer came${SO_MAY_EXIST}`, CONSOLE],
		['The connection to the service was lost before an answer came', LATER],
	],
	...(
		[
			['empty', 'The answer of the service is empty'],
			['html', 'A web page came instead of an answer of the service'],
			['notJson', 'The answer of the service is not JSON'],
			['notTask', 'The answer of the service is not a task record'],
			['tooLarge', 'The answer of the service is larger than 1 MB'],
			['otherTask', 'The answer of the service is about another task'],
		] as const
	).map(([reason, what]): [ServiceError, Said, Said] => [
		unreadable(reason),
		[`${what}${SO_MAY_EXIST}`, `${CHECK_URL}; if it is right, try again later. ${CONSOLE}`],
		[what, `${CHECK_URL}; if it is right, try again later.`],
	]),
];

describe('an answer without a task', () => {
	test.each(answers)(
		'to a create, %j, says what happened and what to do',
		(error, [what, next]) => {
			const said = wordsOfCreate(error);
			expect(said).toEqual({ message: what, description: expect.stringContaining(next) });
			const isNo = ['refused', 'rateLimited', 'notConnected'].includes(createVerdict(error));
			expect(said.description.endsWith(NO_TASK)).toBe(isNo);
			expect(what.endsWith(SO_MAY_EXIST)).toBe(!isNo);
			if (!isNo) expect(said.description).not.toMatch(/(?:run|send) (?:it|this item) again/i);
			expectPlain(said, isNo ? 3 : 4);
		},
	);

	test.each(answers)('to a read, %j, says it, too', (error, create, read = create) => {
		const said = wordsOfRead(error);
		expect(said).toEqual({ message: read[0], description: expect.stringContaining(read[1]) });
		expectPlain(said, 2);
	});

	test.each(answers)(
		'to a create that was sent before, %j, says that a task may exist',
		(error) => {
			const said = wordsOfCreate(error, { isUnanswered: true });
			expect(said.message).toMatch(
				/, (?:so a task may exist|but a task may exist from an earlier try)$/,
			);
			expect(said.description).toContain(CONSOLE);
			expect(said.description).not.toMatch(/Nothing was created|(?:run|try) .*again later, or/i);
			expectPlain(said, 4);
		},
	);

	test.each([
		[60_000, 'Try again later'],
		[60_001, 'Try again in 2 minutes'],
		[7_140_000, 'Try again in 119 minutes'],
		[7_200_000, 'Try again in 2 hours'],
	])('says of 429 that it asks to wait for %i ms', (askedMs, words) => {
		expect(wordsOfCreate(status(429, askedMs)).description).toContain(`${words}, or lower`);
		expect(wordsOfRead(status(429, askedMs)).description).toContain(`${words}, or read`);
	});

	test('says when to run it again after a server error that asks to wait', () =>
		expect(wordsOfCreate(status(503, 300_000)).description).toContain(
			'Run this item again in 5 minutes',
		));

	test('shows the beginning of what came, which may have an id in it', () => {
		const error: ServiceError = { kind: 'unreadable', reason: 'notJson', excerpt: 'id=7' };
		for (const said of [wordsOfCreate(error), wordsOfRead(error)]) {
			expect(said.description).toMatch(/^It begins with “id=7”\. Check 'Base URL'/);
		}
	});

	test('keeps the request id at the end of what the service says, however long that is', () => {
		const said = `${'Too long. '.repeat(100)}(request id: req_42)`;
		const refused = { ...status(400), serviceMessage: messageIn({ error: { message: said } }) };
		expect(wordsOfCreate(refused).description).toContain('(request id: req_42)');
	});
});

test('an error in an answer of status 200 is the reason in the message', () => {
	const error: ServiceError = {
		kind: 'unreadable',
		reason: 'notTask',
		excerpt: '{"code":-2001,"message":"No channel."}',
		serviceMessage: 'No channel.',
	};
	expect(wordsOfCreate(error).message).toBe(
		'The service answered with an error: “No channel.”, so a task may exist',
	);
	expectPlain(wordsOfCreate(error), 4);
	expect(wordsOfRead(error).message).toBe('The service answered with an error: “No channel.”');
});

describe('a refused create', () => {
	const TEXT = 'videogen-2.5-text-to-video';
	const IMAGE = 'videogen-2.5-image-to-video';
	const REFERENCE = 'videogen-2.5-reference-to-video';
	const URLS = ['https://e.com/a.png', 'https://e.com/b.png'];
	const SIGNED = 'https://n8n.example.com/rest/binary-data/signed?token=abc';
	const request = (more: object = {}, model = TEXT) => ({ model, prompt: 'A fox', ...more });
	const refusal = (more: object, sent?: ReturnType<typeof request>) =>
		wordsOfCreate({ ...status(400), ...more }, { request: sent });

	const CHECK_FAMILY = "Check 'Model Family' in the Videogen credential";
	test.each([
		{ param: 'model' },
		{ param: 'model', serviceMessage: 'Unsupported value' },
		{ serviceMessage: 'Unknown model “videogen-9-text-to-video”' },
		{ serviceMessage: 'model: must be one of a, b' },
	])('whose model was refused points to the credential: %j', (more) =>
		expect(refusal(more).description).toContain(CHECK_FAMILY),
	);

	test.each([
		{},
		{ param: 'prompt', serviceMessage: 'The model does not understand it' },
		{ serviceMessage: 'model_params.seed: must be a number' },
		{ status: 403, serviceMessage: 'No access to this model' },
		{ serviceMessage: 'This model takes no other aspect_ratio than adaptive' },
	])('whose model was not refused does not: %j', (more) =>
		expect(refusal(more).description).not.toContain(CHECK_FAMILY),
	);

	test('whose model nothing is known of points to Model Family, not to Base URL', () => {
		const unknown = { ...status(404), isJson: true, serviceMessage: 'Unknown model “x”' };
		const { message, description } = wordsOfCreate(unknown);
		expect(message).toBe('Model not found (404)');
		expect(description).toContain(CHECK_FAMILY);
		expect(description).not.toContain('Base URL');
		for (const other of [{ isJson: false }, { serviceMessage: 'No route' }]) {
			expect(wordsOfCreate({ ...unknown, ...other }).description).toContain('Base URL');
		}
	});

	test.each<[more: object, label: string, sent?: ReturnType<typeof request>]>([
		[{ param: 'aspect_ratio' }, 'Aspect Ratio'],
		[{ param: 'body.aspect_ratio' }, 'Aspect Ratio'],
		[{ serviceMessage: 'aspect_ratio: only adaptive is supported' }, 'Aspect Ratio'],
		[{ param: 'duration' }, 'Duration (Seconds)'],
		[{ serviceMessage: 'duration must be between 4 and 15' }, 'Duration (Seconds)'],
		[{ param: 'quality' }, 'Quality'],
		[{ serviceMessage: 'Unsupported quality: 480p' }, 'Quality'],
		[{ param: 'prompt' }, 'Prompt'],
		[{ serviceMessage: 'The prompt is too long' }, 'Prompt'],
		[{ param: 'generate_audio' }, 'Generate Audio'],
		[{ param: 'content_filter' }, 'Content Filter'],
		[{ serviceMessage: 'content_filter: must be a boolean' }, 'Content Filter'],
		[{ param: 'callback_url' }, 'Callback URL'],
		[{ param: 'model_params' }, 'Model Parameters'],
		[{ param: 'model_params.seed' }, 'Model Parameters'],
		[{ param: 'model_params.web_search' }, 'Web Search'],
		[{ param: 'image_urls' }, 'Image URLs'],
		[{ param: 'video_urls' }, 'Video URLs'],
		[{ param: 'audio_urls' }, 'Audio URLs'],
		[
			{ param: 'image_urls' },
			'First Image URL or Last Image URL',
			request({ image_urls: URLS }, IMAGE),
		],
		[{ param: 'image_urls' }, 'First Image URL', request({ image_urls: [URLS[0]] }, IMAGE)],
		[{ param: 'image_urls[0]' }, 'First Image URL', request({ image_urls: URLS }, IMAGE)],
		[{ param: 'image_urls.1' }, 'Last Image URL', request({ image_urls: URLS }, IMAGE)],
		[{ param: 'body.image_urls.1' }, 'Last Image URL', request({ image_urls: URLS }, IMAGE)],
		[
			{ param: 'image_urls[1]' },
			'Last Image Field',
			request({ image_urls: [SIGNED, SIGNED] }, IMAGE),
		],
		[
			{ param: 'image_urls[1]' },
			'Image URLs (2nd image)',
			request({ image_urls: URLS }, REFERENCE),
		],
		[
			{ param: 'image_urls[1]' },
			'Reference File Fields (2nd image)',
			request({ image_urls: [URLS[0], SIGNED] }, REFERENCE),
		],
		[
			{ serviceMessage: 'audio_urls[0] is 40 MB long' },
			'Audio URLs (1st audio file)',
			request({ audio_urls: URLS }, REFERENCE),
		],
	])(
		'that names a field, %j, names it as the editor shows it: %s',
		(more, label, sent = request()) => {
			const said = refusal(more, sent);
			expect(said.message).toBe(`${label} not accepted (400)`);
			expect(said.description).toContain(`Change '${label}', and run this item again.`);
			expectPlain(said);
		},
	);

	test.each([
		{ param: 'n', serviceMessage: 'Unknown parameter' },
		{ serviceMessage: 'The image quality is too low' },
		{ serviceMessage: 'prompts_total is 7' },
	])('that names no field of the contract, %j, names none', (more) =>
		expect(refusal(more).message).toBe('Request not accepted (400)'),
	);

	test.each([
		[{}, true],
		[{ status: 413 }, true],
		[{ status: 415 }, true],
		[{ status: 422 }, true],
		[{ param: 'image_urls[0]' }, true],
		[{ param: 'duration' }, false],
		[{ code: 'content_policy_violation' }, false],
		[{ status: 401 }, false],
	])('with an image inside it, %j, says that not every service takes that: %s', (more, isSaid) => {
		const sent = request({ image_urls: ['data:image/png;base64,AAAA'] }, IMAGE);
		const said = refusal(more, sent);
		expect(said.description.includes('not every service takes')).toBe(isSaid);
		expectPlain(said);
		expect(refusal(more, request({ image_urls: URLS }, IMAGE)).description).not.toContain('inside');
	});

	const PRIVATE = 'in a private window of your browser, where the file itself must appear';
	test.each<
		[more: object, sent: ReturnType<typeof request> | undefined, what: string, advice: string]
	>([
		[
			{ code: 'image_fetch_failed' },
			request({ image_urls: [URLS[0]] }, IMAGE),
			'First Image URL',
			`Open its link ${PRIVATE}`,
		],
		[
			{ serviceMessage: 'Failed to download image_urls[1]' },
			request({ image_urls: URLS }, IMAGE),
			'Last Image URL',
			`Open its link ${PRIVATE}`,
		],
		[
			{ serviceMessage: 'Invalid image format' },
			request({ image_urls: [SIGNED] }, IMAGE),
			'First Image Field',
			"Check that the service can open n8n's own URL from the internet, without a login.",
		],
		[
			{ serviceMessage: 'timeout while fetching the video' },
			request({ image_urls: URLS, video_urls: URLS }, REFERENCE),
			'Video URLs',
			`Open their links ${PRIVATE}`,
		],
		[
			{ serviceMessage: 'timeout while fetching a file' },
			request({ image_urls: [URLS[0], SIGNED], video_urls: URLS }, REFERENCE),
			'an image, video or audio file',
			`Open their links ${PRIVATE} without a login; check that the service can open n8n's own URL`,
		],
		[
			{ serviceMessage: 'Unable to read the image' },
			request({ image_urls: ['data:image/png;base64,AAAA'] }, REFERENCE),
			'Reference File Fields',
			'An image was sent inside the request, which not every service takes',
		],
		[
			{ code: 'image_processing_error' },
			undefined,
			'an image, video or audio file',
			`Open their links ${PRIVATE}`,
		],
	])('for an input, %j, names it and says how to check it', (more, sent, what, advice) => {
		const said = refusal(more, sent);
		expect(said.message).toBe(`The service could not fetch or read ${what} (400)`);
		expect(said.description).toContain(advice);
		expectPlain(said);
	});

	test.each<[more: object, sent: ReturnType<typeof request> | undefined, advice: string]>([
		[{ code: 'content_policy_violation' }, request(), 'Change the prompt, and run'],
		[{ serviceMessage: 'Violence' }, undefined, 'Change the prompt or the files, and run'],
		[
			{ serviceMessage: 'A real person was found' },
			request({ image_urls: URLS }, REFERENCE),
			'Change the prompt or the files, and run',
		],
		[
			{ serviceMessage: 'The image may contain a real person', param: 'image_urls[1]' },
			request({ image_urls: URLS }, IMAGE),
			"Change 'Last Image URL', and run",
		],
		[
			{ serviceMessage: 'Nudity', param: 'prompt' },
			request({ image_urls: URLS }, IMAGE),
			'Change the prompt, and run',
		],
		[
			{ serviceMessage: 'The music may be under copyright' },
			request(),
			"Change the prompt, or switch off 'Generate Audio', and run",
		],
		[
			{ serviceMessage: 'The music may be under copyright' },
			request({ generate_audio: false }),
			'Change the prompt, and run',
		],
	])('for its content, %j, says what to change', (more, sent, advice) => {
		const said = refusal(more, sent);
		expect(said.message).toBe('The service refused the content (400)');
		expect(said.description).toContain(`${advice} this item again.`);
		expectPlain(said);
	});
});
