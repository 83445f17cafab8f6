import type {
	IBinaryKeyData,
	ICredentialDataDecryptedObject,
	INode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { z } from 'zod';
import { createReferenceVideo } from '../../nodes/Videogen/fields/createReferenceVideo';
import { createTextVideo } from '../../nodes/Videogen/fields/createTextVideo';
import { numberField } from '../../nodes/Videogen/fields/field';
import { taskId } from '../../nodes/Videogen/fields/getTask';
import { urlField, urlsField } from '../../nodes/Videogen/fields/lists';
import { settingsOf } from '../../nodes/Videogen/fields/operation';
import { holeMessage, refusePlainExpression } from '../../nodes/Videogen/fields/prompt';
import type { DownloadError } from '../../nodes/Videogen/files/downloadError';
import { downloadMessage } from '../../nodes/Videogen/files/downloadWords';
import {
	emptyField,
	type ErrorKind,
	type InvalidParameter,
	type Message,
} from '../../nodes/Videogen/ground/words';
import { Log, reuseText } from '../../nodes/Videogen/run/log';
import { type Stopped, stopError } from '../../nodes/Videogen/run/stopError';
import type {
	NetworkReason,
	ServiceError,
	UnreadableReason,
} from '../../nodes/Videogen/service/answer';
import {
	createVerdict,
	wordsOfCreate,
	wordsOfRead,
} from '../../nodes/Videogen/service/answerMeaning';
import type { GenerationRequest } from '../../nodes/Videogen/service/contract/request';
import { messageIn } from '../../nodes/Videogen/service/errorPayload';
import { wordsOfFailed } from '../../nodes/Videogen/service/failure';
import { fail, type Fault, type Item, TOOL_RUN } from '../../nodes/Videogen/work/order';
import {
	mayExistFault,
	NOT_STARTED,
	notCreatedFault,
	notReadFault,
	orderedElsewhereFault,
	stoppedFault,
	timedOutFault,
	tooManyFault,
	tooManyInEditorFault,
	unansweredBefore,
	unreadyFault,
	withoutResultsFault,
} from '../../nodes/Videogen/work/orderWords';
import {
	type Answer,
	CREDENTIAL_ANSWERS,
	json,
	testing,
	UNUSABLE,
} from '../programs/support/credentialTestContext';
import { completedTask } from '../programs/support/downloadScene';
import { network, status, unreadable } from '../programs/support/fakeService';
import {
	fileInMemory,
	fileOf,
	itemFilesWith,
	planWith,
	refusalOf,
	refusalOfPlan,
	type StoreSettings,
} from '../programs/support/itemFilesScene';
import { failedCall } from '../programs/support/networkErrors';
import {
	createItem,
	MINUTE,
	orderOf,
	readItem,
	runningAs,
	taskOf,
	WAIT,
} from '../programs/support/orders';
import { expectPlain } from '../programs/support/plainMessage';
import { sampleMp4 } from '../programs/support/sampleFiles';

/**
 * All sentences in one snapshot, to be read like a document: what happens, and what people are told.
 * After a change, run `npx jest messages -u`, and read what has changed aloud.
 */

const NODE: INode = {
	...{ id: '1', name: 'Make', type: 'videogen', typeVersion: 1 },
	...{ position: [0, 0], parameters: {} },
};

type Said = [situation: unknown, Partial<Message> & { kind?: string }];

/** A page of it: each situation, and below it what is said. */
function pageOf(said: Said[]): string {
	const texts = said.map(([situation, { kind, message, description }]) => [
		typeof situation === 'string' ? situation : JSON.stringify(situation),
		...[kind && `(${kind})`, message, description].filter(Boolean).map((line) => `    ${line}`),
	]);
	return `\n${texts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function expectPlainPage(said: Array<[situation: unknown, Message]>, mostSentences = 4): void {
	for (const [, message] of said) expectPlain(message, mostSentences);
	expect(pageOf(said)).toMatchSnapshot();
}

const inText = (code: number): ServiceError => ({ ...status(code), isJson: false });
const NETWORK: NetworkReason[] = [
	...(['connectionRefused', 'noRoute', 'unknownHost', 'connectTimeout'] as const),
	...(['tls', 'blocked', 'timeout', 'lost'] as const),
];
const UNREADABLE: UnreadableReason[] = [
	...(['empty', 'html', 'notJson', 'notTask', 'tooLarge', 'otherTask'] as const),
];
const CONFLICT = { code: 'idempotency_conflict' };
const UNKNOWN_MODEL = { serviceMessage: 'Unknown model “x”' };

const ANSWERS: ServiceError[] = [
	...[302, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 418, 422].map((code) => status(code)),
	...[425, 429, 500, 501, 503].map((code) => status(code)),
	...[403, 407, 500, 503, 521].map(inText),
	{ ...status(302), location: 'https://e.com/' },
	{ ...status(400), serviceMessage: 'Sorry' },
	{ ...status(409), ...CONFLICT },
	{ ...status(422), ...CONFLICT },
	{ ...status(409), serviceMessage: 'In use' },
	{ ...status(400), namedTaskId: 'task_1' },
	...[{}, { isJson: false }, { serviceMessage: 'No route' }].map((more) => ({
		...{ ...status(404), ...UNKNOWN_MODEL, ...more },
	})),
	...[60_000, 60_001, 7_140_000, 7_200_000].map((askedMs) => status(429, askedMs)),
	status(503, 300_000),
	...NETWORK.map(network),
	...UNREADABLE.map(unreadable),
	{ kind: 'unreadable', reason: 'notJson', excerpt: 'id=7' },
	{
		...{ kind: 'unreadable', reason: 'notTask', serviceMessage: 'No channel.' },
		excerpt: '{"code":-2001,"message":"No channel."}',
	},
];

describe('what is said of an answer without a task', () => {
	const CONSOLE = "Look in the provider's console before you create it again";

	test('to a create', () => {
		expectPlainPage(ANSWERS.map((error) => [error, wordsOfCreate(error)]));
	});

	test('to a create: that nothing was created, or that a task may exist', () => {
		for (const error of ANSWERS) {
			const { message, description } = wordsOfCreate(error);
			const isNo = ['noTask', 'rateLimited', 'notConnected'].includes(createVerdict(error));
			expect(description.endsWith(' Nothing was created for this item.')).toBe(isNo);
			expect(message.endsWith(', so a task may exist')).toBe(!isNo);
			if (!isNo) expect(description).not.toMatch(/(?:run|send) (?:it|this item) again/i);
		}
	});

	test('to a create that was sent before: that a task may exist, and nothing that may be paid again', () => {
		const said = ANSWERS.map((error): [ServiceError, Message] => [
			error,
			wordsOfCreate(error, { isUnanswered: true }),
		]);
		for (const [, { message, description }] of said) {
			expect(message).toMatch(/, (?:so|but) a task may exist(?: from an earlier try)?$/);
			expect(description).toContain(CONSOLE);
			expect(description).not.toMatch(/Nothing was created|(?:run|try) .*again later, or/i);
		}
		expectPlainPage(said.filter(([, { message }]) => message.endsWith('try')).slice(0, 2));
	});

	test('to a read', () => {
		expectPlainPage(
			ANSWERS.map((error) => [error, wordsOfRead(error)]),
			2,
		);
	});

	test('keeps the request id at the end of what the service says, however long that is', () => {
		const said = `${'Too long. '.repeat(100)}(request id: req_42)`;
		const refused = { ...status(400), serviceMessage: messageIn({ error: { message: said } }) };
		expect(wordsOfCreate(refused).description).toContain('(request id: req_42)');
	});
});

const URLS = ['https://e.com/a.png', 'https://e.com/b.png'];
const SIGNED = 'https://n8n.example.com/rest/binary-data/signed?token=abc';
const INLINE = 'data:image/png;base64,AAAA';
const requestFor =
	(workflow: string) =>
	(more: object = {}): GenerationRequest => ({
		...{ model: `videogen-2.5-${workflow}`, prompt: 'A fox' },
		...more,
	});
const text = requestFor('text-to-video');
const image = requestFor('image-to-video');
const reference = requestFor('reference-to-video');

describe('what is said of a create that was refused', () => {
	type Refused = [more: object, sent?: GenerationRequest];
	const said = (rows: Refused[]) =>
		rows.map(([more, request]): [unknown, Message] => [
			[more, ...(request ? [request] : [])],
			wordsOfCreate({ ...status(400), ...more }, { request }),
		]);

	test('for a field: the field as the editor shows it, where one is named', () => {
		const params = [
			...['model', 'aspect_ratio', 'body.aspect_ratio', 'duration', 'quality', 'prompt'],
			...['generate_audio', 'content_filter', 'callback_url', 'model_params'],
			...['model_params.seed', 'model_params.web_search', 'image_urls', 'video_urls', 'audio_urls'],
		];
		const messages = [
			...['aspect_ratio: only adaptive is supported', 'duration must be between 4 and 15'],
			...[
				'Unsupported quality: 480p',
				'The prompt is too long',
				'content_filter: must be a boolean',
			],
			...['Unknown model “videogen-9-text-to-video”', 'model: must be one of a, b'],
			...['model_params.seed: must be a number', 'audio_urls[0] is 40 MB long'],
			'This model takes no other aspect_ratio than adaptive',
			// These name none.
			...['The image quality is too low', 'prompts_total is 7'],
		];
		const frames = (param: string, image_urls: string[]): Refused => [
			{ param },
			image({ image_urls }),
		];
		expectPlainPage(
			said([
				...params.map((param): Refused => [{ param }]),
				...messages.map((serviceMessage): Refused => [{ serviceMessage }]),
				[{ param: 'n', serviceMessage: 'Unknown parameter' }],
				[{ param: 'prompt', serviceMessage: 'The model does not understand it' }],
				[{ status: 403, serviceMessage: 'No access to this model' }],
				frames('image_urls', URLS),
				frames('image_urls', URLS.slice(1)),
				frames('image_urls[0]', URLS),
				frames('image_urls.1', URLS),
				frames('body.image_urls.1', URLS),
				frames('image_urls[1]', [SIGNED, SIGNED]),
				[{ param: 'image_urls[1]' }, reference({ image_urls: URLS })],
				[{ param: 'image_urls[1]' }, reference({ image_urls: [URLS[0], SIGNED] })],
			]),
		);
	});

	test('with an image inside it: that not every service takes that', () => {
		const sent = image({ image_urls: [INLINE] });
		const statuses = [413, 415, 422, 401].map((code) => ({ status: code }));
		const others = [{ param: 'image_urls[0]' }, { param: 'duration' }, { code: 'content_policy' }];
		expectPlainPage(said([{}, ...statuses, ...others].map((more) => [more, sent])));
	});

	test('for an input: which, and how to check it', () => {
		const two = { image_urls: [URLS[0], SIGNED], video_urls: URLS };
		expectPlainPage(
			said([
				[{ code: 'image_fetch_failed' }, image({ image_urls: URLS.slice(1) })],
				[{ serviceMessage: 'Failed to download image_urls[1]' }, image({ image_urls: URLS })],
				[{ serviceMessage: 'Invalid image format' }, image({ image_urls: [SIGNED] })],
				[{ serviceMessage: 'timeout while fetching the video' }, reference(two)],
				[{ serviceMessage: 'timeout while fetching a file' }, reference(two)],
				[{ serviceMessage: 'Unable to read the image' }, reference({ image_urls: [INLINE] })],
				[{ code: 'image_processing_error' }],
			]),
		);
	});

	test('for its content: what to change', () => {
		const music = { serviceMessage: 'The music may be under copyright' };
		expectPlainPage(
			said([
				[{ code: 'content_policy_violation' }, text()],
				[{ serviceMessage: 'Violence' }],
				[{ serviceMessage: 'A real person was found' }, reference({ image_urls: URLS })],
				[
					{ serviceMessage: 'The image may contain a real person', param: 'image_urls[1]' },
					image({ image_urls: URLS }),
				],
				[{ serviceMessage: 'Nudity', param: 'prompt' }, image({ image_urls: URLS })],
				[music, text()],
				[music, text({ generate_audio: false })],
			]),
		);
	});
});

test('what is said of a task that failed', () => {
	const ofImage = reference({ image_urls: URLS.slice(1) });
	const failed: Array<[error: unknown, request?: GenerationRequest, status?: string]> = [
		[{ code: 'policy', message: 'Flagged.' }, text()],
		[{ code: 'policy' }, ofImage],
		[{ code: 'policy', param: 'image_urls[0]' }, ofImage],
		[{ code: 'audio_moderation' }, text()],
		[{ message: 'The sound: copyright' }, text()],
		[{ message: 'The sound: copyright' }, text({ generate_audio: false })],
		[{ code: 'quota', message: 'No' }],
		['Not enough credits'],
		[{ code: 'resource_exhausted', message: 'Full' }],
		[{ code: 'image_processing_error', message: 'No access' }],
		[{ code: 'image_fetch_failed' }, ofImage],
		[{ code: 'x', message: 'No. 5 broke' }],
		[{ code: 'unknown_error' }, text()],
		[{ code: 'odd' }],
		[{ code: 'odd', message: 'It broke (request id: req_42)' }],
		[undefined],
		[undefined, text(), 'timeout'],
		['No room left', text(), 'timeout'],
		[undefined, text(), 'FAILED'],
		...['cancelled', 'canceled', 'EXPIRED'].map((word): [unknown, GenerationRequest, string] => [
			...([{ code: 'policy' }, text(), word] as const),
		]),
	];
	expectPlainPage(
		failed.map((given) => {
			const [error, request, word = 'failed'] = given;
			return [given, wordsOfFailed(taskOf('task_1', word, { error }), request)];
		}),
	);
});

describe('what is said of an order', () => {
	const [refused, lost] = [status(400), network('lost')];
	const gone: ServiceError = { ...status(404), serviceMessage: 'Gone' };
	const inWork = runningAs(taskOf('task_1'));
	const created = (more: Partial<Item['order']> = {}): Item => {
		const item = createItem('A fox');
		return { ...item, order: { ...item.order, state: inWork, ...more } };
	};
	const unread = () => created({ state: { is: 'running', taskId: 'task_1' } });
	const failedBefore = (kind: 'noAnswer' | 'stopped') => {
		const order = orderOf('A fox', { mayExist: {} });
		fail(order, { kind, message: '', description: 'What was said before.' });
		return order;
	};
	const noVideo = (error?: object) => taskOf('task_1', 'completed', { error });

	test('without a task', () => {
		const unnamed = { displayName: 'Prompt' };
		const faults: Said[] = [
			['a no', notCreatedFault(refused)],
			['no answer', mayExistFault(lost, false)],
			['a no after no answer', mayExistFault(refused, true)],
			['another request under its key', mayExistFault(status(409), false)],
			[
				'the same, in another status',
				mayExistFault({ ...status(422), code: 'idempotency_key_reuse' }, false),
			],
			['a task named', mayExistFault({ ...status(500), namedTaskId: 'task_7' }, false)],
			['unanswered in an earlier try', unansweredBefore(orderOf('A fox', { mayExist: {} }))],
			['the same, of which more is known', unansweredBefore(failedBefore('noAnswer'))],
			['the same, stopped since', unansweredBefore(failedBefore('stopped'))],
			['ordered by execution 12', orderedElsewhereFault('12')],
			['ordered by one that is not known', orderedElsewhereFault()],
			['a value that is not allowed', unreadyFault(emptyField(unnamed, 'Write one.'))],
			['what n8n throws', unreadyFault(new Error('No link'))],
			['what it throws without an error', unreadyFault('No such node')],
		];
		expect(pageOf(faults)).toMatchSnapshot();
	});

	test('with a task that is not finished, or cannot be read', () => {
		const faults: Said[] = [
			['late', timedOutFault(created())],
			['late, and its last read failed', timedOutFault(created(), status(429))],
			['late, and never read', timedOutFault(unread(), lost)],
			['when the run ends', stoppedFault(created())],
			['when that of an agent ends', stoppedFault(created({ run: TOOL_RUN }))],
			['when one that only reads it ends', stoppedFault(readItem('task_1'))],
			['not read for a while', notReadFault(unread(), network('timeout'))],
			['gone, and was seen before', notReadFault(created(), gone)],
			['gone, and was ordered before', notReadFault({ ...unread(), isTaken: true }, refused)],
			['gone, and nobody has seen it', notReadFault(readItem('task_1'), refused)],
			['without a video', withoutResultsFault(noVideo())],
			['without one, and says why', withoutResultsFault(noVideo({ message: 'Nothing came out' }))],
		];
		expect(pageOf(faults)).toMatchSnapshot();
	});

	test('that is beyond a limit, and nothing of one that is not', () => {
		expect(tooManyInEditorFault([5, undefined, 30], 0, 3)).toBeUndefined();
		expect(tooManyFault(2, 1, 3)).toBeUndefined();
		const faults: Said[] = [
			['3 by a click after 1', tooManyInEditorFault([5, undefined, 30], 1, 3) ?? {}],
			['2 by a click', tooManyInEditorFault([4, 4], 0, 1) ?? {}],
			['3 of a run', tooManyFault(3, 0, 2) ?? {}],
			['1 of a run after 2', tooManyFault(1, 2, 2) ?? {}],
		];
		expect(pageOf(faults)).toMatchSnapshot();
	});
});

test('what is said of how the node stops: one sentence more, and another where a task may exist', () => {
	const contextIn = (mode: WorkflowExecuteMode) => ({
		getMode: () => mode,
		getExecutionId: () => '77',
		getNode: () => NODE,
	});
	const item = { ...createItem('A fox'), index: 1 };
	const ofRead = { item: { ...readItem('task_1'), index: 1 } };
	const others = { tasks: [{ itemIndex: 0, taskId: 'task_7', status: 'processing' }] };
	const unanswered = { unansweredItems: [0, 1, 2] };
	const editor = { isReused: true, mode: 'manual' } as const;
	const sub = { mode: 'integrated' } as const;
	type More = Partial<Stopped> & { mode?: WorkflowExecuteMode; description?: string };
	const description = 'Change the prompt. Nothing was created for this item.';
	const rows: Array<[situation: string, ErrorKind, taskId?: string, More?]> = [
		['failed, with nothing else', 'failed', 'task_1'],
		['failed, alone', 'failed', 'task_1', { total: 1 }],
		['failed, as all items', 'failed', 'task_1', { isOfAll: true }],
		['failed, of no item', 'failed', 'task_1', { item: undefined }],
		['failed, with other tasks', 'failed', 'task_1', others],
		['rate limited, with other tasks', 'rateLimited', undefined, others],
		['its own task still runs', 'timeout', 'task_1'],
		['late, without a task', 'timeout'],
		...(['invalid', 'refused', 'moderation', 'noAnswer'] as const).map(
			(kind): [string, ErrorKind, undefined, More] => [
				...([`${kind}, with other tasks`, kind, undefined, others] as const),
			],
		),
		['invalid, with nothing else', 'invalid'],
		['content of its task, which Retry would order again', 'moderation', 'task_1', others],
		['a read that was refused', 'refused', 'task_1', others],
		['with others unanswered', 'failed', undefined, unanswered],
		['unanswered itself', 'noAnswer', undefined, { unansweredItems: [1] }],
		['unanswered, alone', 'noAnswer', undefined, { unansweredItems: [0], total: 1, item }],
		['in the editor', 'failed', undefined, { ...editor, ...others }],
		['in the editor, with nothing else', 'timeout', 'task_1', editor],
		[
			'in the editor, others unanswered',
			'failed',
			undefined,
			{ ...editor, ...others, ...unanswered },
		],
		['a no, in the editor', 'moderation', undefined, { ...editor, ...others, description }],
		['a no, alone in the editor', 'moderation', undefined, { ...editor, total: 1, description }],
		['in a sub-workflow', 'invalid', undefined, { ...sub, ...others }],
		['in a sub-workflow, with nothing else', 'failed', undefined, sub],
		['in a sub-workflow, others unanswered', 'failed', undefined, { ...sub, ...unanswered }],
		['of a task that was only read', 'timeout', 'task_1', ofRead],
		['of a task that was only read, with others', 'timeout', 'task_1', { ...ofRead, ...others }],
	];
	const said = rows.map(([situation, kind, taskId, more]): Said => {
		const { mode = 'trigger', description: next = 'What to do.', ...its }: More = more ?? {};
		const error = { kind, message: 'What happened', description: next, taskId };
		const stopped: Stopped = {
			...{ item, total: 3, isOfAll: false, isReused: false, tasks: [], unansweredItems: [] },
			...its,
		};
		const said = stopError(contextIn(mode), error, stopped);
		return [situation, { description: said.description ?? undefined }];
	});
	expect(pageOf(said)).toMatchSnapshot();
});

describe('what is said of a download', () => {
	const URL = 'https://e.com/fox.mp4';
	const said = (error: DownloadError, results: unknown = [URL], url?: string, isCreated = false) =>
		downloadMessage(
			completedTask(results, 'task_7'),
			{ kind: 'notDownloaded', error, url },
			isCreated,
		);
	const EMPTY: DownloadError = { kind: 'empty' };

	test('that failed', () => {
		const errors: DownloadError[] = [
			...[401, 403, 404, 410, 503].map((code): DownloadError => ({ kind: 'status', status: code })),
			...NETWORK.map((reason): DownloadError => ({ kind: 'network', reason })),
			{ kind: 'cutOff', receivedBytes: 1_234_567, declaredBytes: 2_500_000 },
			{ kind: 'stalled', receivedBytes: 0 },
			...(['empty', 'noMedia', 'redirect', 'login', 'local', 'compressed', 'tooMany'] as const).map(
				(kind) => ({ kind }),
			),
			...(['tooMuch', 'tooSlow', 'noUrl', 'noResults', 'tooLarge', 'diskFull'] as const).map(
				(kind) => ({ kind }),
			),
			...(['memory', 'stopped', 'storage'] as const).map((kind) => ({ kind })),
			...['No.', 'No'].map((reason): DownloadError => ({ kind: 'storage', reason })),
		];
		for (const error of errors) {
			const { message, description } = said(error);
			expect(message).toMatch(/^Task task_7 is completed, but not downloaded: [a-z].*[^.\s]$/);
			expect(description.match(/costs nothing more/g)).toHaveLength(1);
			expect(`${message} ${description}`).not.toMatch(/undefined|\[object|NaN| {2}|\.\.|\.”\./);
		}
		expect(
			pageOf([
				...errors.map((error): Said => [error, said(error)]),
				['of a task that the node created', said(EMPTY, [URL], undefined, true)],
			]),
		).toMatchSnapshot();
	});

	test('names URLs once each, the one that went wrong first, and counts what is too much', () => {
		const urls = [0, 1, 2, 3, 4].map((at) => `https://e.com/${at}.mp4`);
		const of = (results: string[]) => said(EMPTY, results, urls[1]).description;
		expect(said({ kind: 'noResults' }, []).description).toMatch(/nothing more\.$/);
		expect(of(urls.slice(0, 2))).toMatch(
			/: "https:\/\/e\.com\/1\.mp4", "https:\/\/e\.com\/0\.mp4"\.$/,
		);
		expect(of(urls)).toMatch(/\/2\.mp4" and 2 more\.$/);
	});

	test('has whole URLs, signature and all, but no line ends and no megabytes', () => {
		const signed = `https://e.com/fox.mp4?X-Amz-Security-Token=${'a'.repeat(3_000)}&signature=bc`;
		expect(said(EMPTY, [signed]).description).toContain(`"${signed}"`);
		const wicked = `https://e.com/a\r\n\u0007b${'c'.repeat(1_000_000)}`;
		const { description } = said(EMPTY, [wicked]);
		expect(description).toContain('https://e.com/abccc');
		expect(description).not.toMatch(/\p{Cc}/u);
		expect(description.length).toBeLessThan(10_000);
	});
});

test('what is said of an expression in a prompt that gave nothing', () => {
	/** What n8n gives for the owners of fields. */
	const values: Record<string, unknown> = {
		'{{ $json }}': { prompt: null, 'First Name': 'Ada', city: '', body: { title: 'x' }, list: 7 },
		'{{ $json.body }}': { title: 'x' },
		'{{ $json.list }}': 7,
		"{{ $('A.b.c').item.json }}": { title: 'x' },
		"{{ $('A').first().json }}": { d: undefined },
	};
	const parts = [
		...['{{ $json.promt }}', '{{ $json.Prompt2.trim() }}', '{{ $json["first name"] }}'],
		...['{{ $json.weather }}', '{{ $json.boddy.title }}', '{{ $json.body.titel }}'],
		...['{{ $json.prompt }}', '{{ $json.city.trim() }}', '{{ $json.prompt.text.de }}'],
		...["{{ $('A.b.c').item.json.d }}", "{{ $('A').first().json.d }}", '{{ $json.list.a }}'],
		...['{{ $json.a || $json.b }}', '{{ $jmespath($json, "a") }}', '{{ $json.a.b.c }}'],
		...['{{ $json.a2._b.$c }}', '{{ $json.a & 1 }}', '{{ $fromAI("prompt") }}'],
	];
	const evaluate = (part: string) => values[part];
	const said = parts.map((part): Said => [part, holeMessage(part, 'undefined', evaluate)]);
	const object = holeMessage('{{ $json.a }}', '[object Object]', evaluate);
	expect(pageOf([...said, ['an object', object]])).toMatchSnapshot();
});

describe('what is said beside the output', () => {
	const NOW_MS = 1_000_000_000;
	const from = (executionId: string, minutes: number): Item => ({
		...{ ...createItem('A fox'), isTaken: true },
		orderedBy: { executionId, atMs: NOW_MS - minutes * MINUTE },
	});
	const ordered = createItem('A fox');
	const created = (id: string): Item => {
		const item = createItem('A fox');
		item.order.state = runningAs(taskOf(id));
		return item;
	};
	const failedAs = (fault: Fault): Item => {
		const item = createItem('A fox');
		fail(item.order, fault);
		return item;
	};

	test('of what was used of earlier executions', () => {
		const withUrl = from('7', 1);
		withUrl.order.request = { model: 'model', prompt: 'A fox', image_urls: ['https://e.com'] };
		const uses: Array<[string, Item[]]> = [
			...[0.4, 1, 2, 119, 120, 600].map((minutes): [string, Item[]] => [
				`${minutes} minutes later, beside another`,
				[from('7', minutes), ordered],
			]),
			['five videos of four executions', ['7', '7', '8', '9', '10'].map((by) => from(by, 1))],
			['a video from a URL', [withUrl]],
		];
		expect(
			pageOf(uses.map(([what, items]) => [what, { message: reuseText(items, NOW_MS) }])),
		).toMatchSnapshot();
	});

	test.each<[string, Item]>([
		['was ordered', ordered],
		['was only read', { ...from('7', 1), order: readItem('task_1').order }],
		['is one of this execution', { ...createItem('A fox'), isTaken: true }],
		['was looked for in vain', { ...from('7', 1), isTaken: false }],
	])('is nothing of a video that %s', (_what, item) =>
		expect(reuseText([item], NOW_MS)).toBeUndefined(),
	);

	/** What the log tells beside the output. */
	const hintFrom = (tell: (log: Log) => void, onError?: INode['onError']): Partial<Message> => {
		const hints: string[] = [];
		const nothing = () => undefined;
		tell(
			new Log({
				logger: { error: nothing, warn: nothing, info: nothing, debug: nothing },
				addExecutionHints: (...all) => void hints.push(...all.map(({ message }) => message)),
				getInputData: () => [],
				getNode: () => ({ ...NODE, onError }),
				getMode: () => 'trigger',
				getWorkflowDataProxy: () => {
					throw new Error('Nobody asked for it');
				},
			}),
		);
		return { message: hints.join('\n') };
	};

	test('of links, and of items in error', () => {
		const refused = failedAs({ kind: 'refused', message: 'Not accepted.', description: '' });
		const returned = createItem('A fox', { ...WAIT, onFailure: 'returnTask' });
		const task = taskOf('task_1', 'failed');
		returned.order.state = { is: 'failed', taskId: 'task_1', task, hadVideo: false };
		const items = [returned, refused, failedAs(NOT_STARTED)];
		const links = (...all: Item[]) => hintFrom((log) => log.linksOnly(all));
		const failures = (...all: Item[]) => hintFrom((log) => log.failures(all));
		expect([links(), failures(returned)]).toEqual([{ message: '' }, { message: '' }]);
		expect(
			pageOf([
				['a link of a create', links(created('task_1'))],
				['a link that was only read', links(readItem('task_1'))],
				['both', links(readItem('task_1'), created('task_2'))],
				['one item in error', failures(refused)],
				['two at an error output', hintFrom((log) => log.failures(items), 'continueErrorOutput')],
			]),
		).toMatchSnapshot();
	});
});

describe('what is said of a value that is refused', () => {
	const FIELD = { displayName: 'Some Field', name: 'some' };
	const saidBy = ({ message, advice }: InvalidParameter): Message => ({
		message,
		description: advice,
	});

	test('of a field', () => {
		const seconds = z.number().int().max(30);
		const { read: readNumber } = numberField({ ...FIELD, default: 5 }, seconds, 'at most 30');
		const { read: readUrl } = urlField(FIELD);
		const { read: readUrls } = urlsField(FIELD, 'Choose File.');
		const into = (name: string) =>
			settingsOf(createTextVideo, {
				get: (field) => (field === 'options' ? { binaryPropertyOutput: name } : true),
			});
		const braces = (written?: string) =>
			refusePlainExpression({ field: FIELD, written, value: 'Rain in {{ $json.citty }}' });
		const page = (url: string) => `https://${url}`;
		const rows: Array<[read: (value: string) => unknown, values: string[]]> = [
			[readNumber, ['', 'five', '4,5', '5s', '1,000', '7.', '0x7', ' 31 ']],
			[(value) => taskId.read(value), ['', 'https://e.com/v1/tasks/1', '..']],
			[readUrl, ['ftp://e.com/a', 'e.com']],
			[readUrls, ['https://e.com/My photo (1).png', 'fox.png', '~/fox.png', 'C:\\fox.png']],
			[
				readUrls,
				[
					...['drive.google.com/file/d/1/view', '1drv.ms/i/s!AbC', 'www.dropbox.com/home/a.png'],
					'contoso.sharepoint.com/:i:/s/team/AbC',
				].map(page),
			],
			[into, ['', 'a b']],
			[braces, ['Rain in {{ $json.citty }}', '={{ $json.prompt }}']],
		];
		const said = rows.flatMap(([read, values]) =>
			values.map((value): Said => [value || 'nothing', saidBy(refusalOf(() => read(value)))]),
		);
		expect(pageOf(said)).toMatchSnapshot();
	});

	test('of a file', async () => {
		const png = fileOf('image/png');
		const LOCAL = { n8nUrl: 'http://localhost:5678' };
		const upload = fileOf('image/png', { fileName: 'me.png', id: 'x/executions/temp/y/1' });
		const large = Buffer.alloc(10_000_001);
		const texts = [fileOf('text/plain', { fileName: 'a.txt' }), fileOf('')];
		const contents = Object.fromEntries(
			texts.map(({ id = '' }) => [id, Buffer.from('Hello, you')]),
		);
		const take = async (
			binary: IBinaryKeyData | undefined,
			settings: StoreSettings = {},
			given: unknown = 'data',
		) => {
			const file = itemFilesWith(binary, settings)(FIELD, given, ['image', 'video']);
			return await (await file).url();
		};
		const refusals: Array<[situation: string, Promise<unknown>]> = [
			['none came in', take(undefined)],
			['none came in, for a tool', take(undefined, { isTool: true })],
			['another name', take({ photo: png, clip: fileOf('video/mp4') })],
			['no name', take({ photo: png }, {}, ' ')],
			['a number', take({ photo: png }, {}, 7)],
			['an object', take({ photo: png }, {}, { mimeType: 'image/png' })],
			...texts.map((data): [string, Promise<unknown>] => [
				`of the type ${data.mimeType || 'that is not known'}`,
				take({ data }, { contents }),
			]),
			...['image/png', ''].map((mimeType): [string, Promise<unknown>] => [
				`gone, and of the type ${mimeType || 'that is not known'}`,
				take({ data: { ...upload, mimeType } }, { gone: [upload.id ?? ''] }),
			]),
			['too large', take({ data: png }, { ...LOCAL, contents: { [png.id ?? '']: large } })],
			['a video without a link', take({ data: fileOf('video/mp4') }, LOCAL)],
			['a video in memory', take({ data: fileInMemory('video/mp4', sampleMp4()) })],
			[
				'no references at all',
				planWith(createReferenceVideo, { referenceBinaryProperties: '' }, itemFilesWith({})),
			],
			[
				'more images than a request holds',
				planWith(
					createReferenceVideo,
					{ referenceBinaryProperties: ['data', 'data', 'data'] },
					itemFilesWith(
						{ data: png },
						{ ...LOCAL, contents: { [png.id ?? '']: large.subarray(1) } },
					),
				),
			],
		];
		const said = refusals.map(async ([situation, refused]): Promise<Said> => [
			situation,
			saidBy(await refusalOfPlan(refused)),
		]);
		expect(pageOf(await Promise.all(said))).toMatchSnapshot();
	});
});

test('what is said of a credential that is tested', async () => {
	const notFound = json(404, { detail: 'Not Found' });
	const refused = failedCall({ syscall: 'connect', code: 'ECONNREFUSED' });
	const messageOf = async (
		answer: () => Answer,
		data?: ICredentialDataDecryptedObject,
	): Promise<Partial<Message>> => ({ message: (await testing(answer, data)).message });
	const rows: Array<[situation: unknown, Promise<Partial<Message>>]> = [
		['it is good', messageOf(() => json(400, {}))],
		['it is for practice', messageOf(() => notFound, { environment: 'practice' })],
		['all is answered 404 in the same words', messageOf(() => notFound)],
		['the same without a path', messageOf(() => notFound, { baseUrl: 'https://e.com' })],
		[
			'there is no connection',
			messageOf(() => {
				throw refused;
			}),
		],
		...CREDENTIAL_ANSWERS.map((answer): [unknown, Promise<Partial<Message>>] => [
			answer,
			messageOf(() => answer),
		]),
		...UNUSABLE.map((data): [unknown, Promise<Partial<Message>>] => [
			data,
			messageOf(() => notFound, data),
		]),
	];
	const said = rows.map(async ([situation, message]): Promise<Said> => [situation, await message]);
	expect(pageOf(await Promise.all(said))).toMatchSnapshot();
});
