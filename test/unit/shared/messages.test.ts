import type { ServiceError, StatusError } from '../../../nodes/Videogen/service/types';
import {
	createRow,
	failureOfCreate,
	failureOfRead,
} from '../../../nodes/Videogen/service/responseRules';
import { providerMessageIn } from '../../../nodes/Videogen/service/providerMessage';
import {
	ERROR_KINDS,
	type Failure,
	kindOfMessage,
	LABELS,
	type MessageName,
	messageOf,
	MESSAGES,
	NOTHING_CREATED,
	forEditor,
	withoutRetry,
} from '../../../nodes/Videogen/shared/messages';
import { NAMES } from '../../../tools/docs/messages';

const IN_CODES = ['content_policy_violation', 'quota_exceeded', 'model_not_found'];
const REASONS = [
	...(['connectionRefused', 'noRoute', 'unknownHost', 'connectTimeout', 'tls'] as const),
	...(['blocked', 'timeout', 'lost'] as const),
];
const UNREADABLE = ['empty', 'html', 'notJson', 'notTask', 'otherTask', 'tooLarge'] as const;

/** Of one character, so that what is filled in has no words of its own. */
const VALUES = Object.fromEntries(
	Object.values(MESSAGES).flatMap((text) =>
		[...text.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => [field, '7']),
	),
);

const whole = (name: MessageName) => messageOf(name, { values: VALUES });

describe.each(NAMES)('the message %s', (name) => {
	const { message, description } = whole(name);

	test('says what happened and what to do, in few sentences', () => {
		expect(message).toMatch(/^[A-Z'7]/);
		expect(message).not.toMatch(/[.\s]$|\. /);
		if (name === 'invalid') return;
		expect(description).toMatch(/^[A-Z'7].*\.$/);
		expect(description.split(/(?<=[.:])\s+(?=[A-Z'])/).length).toBeLessThanOrEqual(3);
	});

	test('names the task once, and only fields that there are, each in quotes', () => {
		expect(MESSAGES[name].split('{id}').length).toBeLessThanOrEqual(2);
		const labels: string[] = Object.values(LABELS);
		const quotes = /(?<!\w)'([^']+)'/g;
		const named = [...MESSAGES[name].matchAll(quotes)].map(([, label = '']) => label);
		expect(named.filter((label) => !labels.includes(label))).toEqual([]);
		const text = MESSAGES[name].replace(quotes, '');
		expect(labels.filter((label) => label.includes(' ') && text.includes(label))).toEqual([]);
	});

	test('has no filler, no retired word, no character beyond Latin, and no advice of an execution', () => {
		const text = `${message} ${description}`;
		expect(text).not.toMatch(/\b(?:error|failure|problem|order\w*|made|told|parted|taken)\b/i);
		expect(text).not.toMatch(/[^\u0020-\u00ff]| {2}/);
		// Whether to run or to retry it.
		expect(description).not.toMatch(/\btry again\b|\bwhoever\b|by itself/i);
	});
});

test('where n8n offers no Retry, no message advises one, and the rest of it stays', () => {
	const retries = NAMES.filter((name) => /\bretry this/.test(whole(name).description));
	expect(retries.length).toBeGreaterThan(3);
	for (const name of retries) {
		const { description } = withoutRetry(whole(name));
		expect(description).not.toMatch(/\bretry\b/);
		expect(description).toMatch(/^[A-Z'7].*'Get Task'.*[^,]\.$/);
		const inEditor = forEditor(whole(name).description);
		expect(inEditor).not.toMatch(/\bretry\b|\bsave\b/);
		expect(inEditor).toMatch(/, (?:and|or) execute the node again(?: with the same request)?\./);
	}
});

test('the kinds are those that workflows know, and every message is of the one before its dot', () => {
	expect(ERROR_KINDS).toEqual([
		...['invalid', 'limit', 'moderation', 'refused', 'balance', 'key', 'address', 'rateLimited'],
		...['noAnswer', 'serviceError', 'failed', 'cancelled', 'expired', 'timeout', 'notFound'],
		...['download', 'stopped'],
	]);
	expect(NAMES.filter((name) => kindOfMessage(name) !== name.split('.')[0])).toEqual([]);
});

/** Answers of the service of every meaning, with words that n8n would show as a link. */
const WORDS = {
	...providerMessageIn({ message: 'No <a href="https://e.com">more' }),
	isJson: true,
};
const QUOTED = 'The provider says: "No ‹a href="https://e.com"›more';
const status = (code: number, more: Partial<StatusError> = {}): ServiceError => ({
	...{ kind: 'status', status: code, ...WORDS, ...more },
});
const STATUSES = [302, 303, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 413, 418, 422, 425];
const ANSWERS: ServiceError[] = [
	...[...STATUSES, 429, 499, 500, 501, 502, 503, 504, 521].map((code) => status(code)),
	...[400, 403, 503].map((code) => status(code, { isJson: false })),
	...[200, 404, 502].map((code) => status(code, { isJson: false, isPage: true })),
	...[400, 422, 429, 500].map((code) => status(code, { namedTaskId: 'task_7' })),
	...[...IN_CODES, 'idempotency_conflict'].map((code) => status(422, { code })),
	...REASONS.map((reason): ServiceError => ({ kind: 'network', reason })),
	...UNREADABLE.map((reason): ServiceError => ({
		...WORDS,
		kind: 'unreadable',
		reason,
		excerpt: '',
	})),
];
const isQuiet = (error: ServiceError) =>
	error.kind === 'network' || (error.kind === 'unreadable' && error.reason === 'html');
const AGAIN = /\b(?:try again|execute again|run (?:it|the workflow) again)/i;
const FIRST = /provider's console|'Get Task' with (?:the ID task_7|each)/;

/** Message and advice in one, of which two sentences say what to do; one more may follow, about other items. */
function textOf({ message, description }: Failure): string {
	const advice = description.replace(/^The provider says: ".*"\. /, '');
	expect(advice.split(/(?<=\.)\s+(?=[A-Z'])/).length).toBeLessThanOrEqual(2);
	return `${message}. ${description}`;
}

function expectToLookFirst(text: string): void {
	expect(text).toMatch(/may exist/);
	expect(text.split(AGAIN)[0]).toMatch(FIRST);
}

/** What it has of the first message, it fills in. */
const OF_MAYBE = NAMES.filter(
	(name) => kindOfMessage(name) === 'noAnswer' && name !== 'noAnswer.forTool',
);

test.each(OF_MAYBE)('the message %s says that a video may exist, and to look before', (name) => {
	const { message, description } = messageOf(name, { values: { ...VALUES, id: 'task_7' } });
	expectToLookFirst(`${message}. ${description}`);
});

describe.each(['https://api.example.com', 'http://localhost:8080'])('at %s,', (baseUrl) => {
	describe.each([false, true])('the answer to a create that was sent before: %s', (wasSent) => {
		test.each(ANSWERS)('%j', (error) => {
			const failure = failureOfCreate(error, { wasSent, baseUrl });
			const text = textOf(failure);
			const isMaybe = wasSent || createRow(error).made === 'maybe';
			expect(text.includes(NOTHING_CREATED)).toBe(!isMaybe);
			expect(failure.kind === 'noAnswer').toBe(isMaybe);
			expect(text.includes(QUOTED)).toBe(!isQuiet(error));
			expect(text).not.toMatch(/[<>]/);
			if (createRow(error).message === 'noAnswer.namedTask') expect(text).toContain('ID task_7');
			if (isMaybe) expectToLookFirst(text);
		});
	});

	test.each(ANSWERS)('the answer %j to a read names the task, and creates nothing', (error) => {
		for (const isKnown of [true, false]) {
			const failure = failureOfRead(error, { taskId: 'task_7', isKnown, baseUrl });
			const text = textOf(failure);
			expect(text.includes(QUOTED)).toBe(!isQuiet(error));
			expect(text).not.toMatch(/[<>]|'(?:Max Videos at Once|Model Family|Options)'/);
			if (isKnown || failure.kind === 'notFound') expect(text).toContain('task_7');
			if (isKnown && failure.kind !== 'notFound') expect(text.split(AGAIN)[0]).toMatch(FIRST);
		}
	});
});

test('the words of the service stand between what happened and what to do', () => {
	const facts = { said: 'No', values: { status: ' (400)' }, isNothingCreated: true };
	expect(messageOf('moderation', facts)).toEqual({
		kind: 'moderation',
		message: 'The provider rejected the content (400)',
		description: expect.stringMatching(`^The provider says: "No"\\. ${NOTHING_CREATED} [A-Z]`),
	});
});

test('what is not known leaves nothing, and another kind may be given', () => {
	expect(messageOf('refused', { kind: 'invalid' })).toMatchObject({
		kind: 'invalid',
		message: 'The provider rejected the request',
	});
	expect(messageOf('download', { values: { id: 7 } }).description).toMatch(/^Use 'Get Task' .* 7 /);
});
