import type { NetworkReason } from '../../../nodes/Videogen/service/answer';
import type { DownloadError } from '../../../nodes/Videogen/downloads/download';
import { downloadMessage } from '../../../nodes/Videogen/messages/downloadMessages';
import { LABELS } from '../../../nodes/Videogen/parameters/labels';
import type { Recovery } from '../../../nodes/Videogen/messages/message';
import { completedTask } from '../../support/downloadScene';

const URL = 'https://e.com/fox.mp4';
const NETWORK: NetworkReason[] = ['refused', 'unknownHost', 'tls', 'timeout', 'lost', 'blocked'];

const errors: DownloadError[] = [
	...[302, 401, 403, 404, 410, 429, 500, 503].map((status): DownloadError => ({
		kind: 'status',
		status,
	})),
	...NETWORK.map((reason): DownloadError => ({ kind: 'network', reason })),
	{ kind: 'cutOff', receivedBytes: 1_000_000, declaredBytes: 2_500_000 },
	{ kind: 'empty' },
	{ kind: 'stalled', receivedBytes: 1_000_000 },
	{ kind: 'webPage' },
	{ kind: 'redirect' },
	{ kind: 'address' },
	{ kind: 'tooLarge' },
	{ kind: 'diskFull' },
	{ kind: 'storage', reason: 'Access denied' },
	{ kind: 'storage' },
	{ kind: 'stopped' },
];

const messageOf = (
	error: DownloadError,
	results: unknown = [URL],
	url: string | null = URL,
	recovery: Recovery = 'retry',
) =>
	downloadMessage(
		completedTask(results, 'task_7'),
		{ kind: 'notDownloaded', error, ...(url === null ? {} : { url }) },
		recovery,
	);

describe('every error of a download', () => {
	test.each(errors)('%j reads plainly and names task, cause and next step', (error) => {
		const { message, description } = messageOf(error);
		expect(message).toMatch(/^Task task_7 is completed, but not downloaded: [a-z].*[^.\s]$/);
		expect(description).toMatch(
			/^(?:n8n |[A-Z]).*[.”]? ?To fetch it without paying again, use Get Task with the ID task_7 .* pays again\. /,
		);
		expect(description).toMatch(new RegExp(` Its results: ${URL}$`));
		const text = `${message} ${description}`;
		expect(text).not.toMatch(/undefined|null|\[object|NaN| {2}|\.\.|\.”\./);
		expect(text).not.toMatch(/\bE[A-Z]{4,}\b|HTTP\b|payload|endpoint|schema|stream/);
	});

	test('is told without a Retry when the node went on, as n8n has nothing to retry', () => {
		const { description } = messageOf({ kind: 'empty' }, [URL], URL, 'getTask');
		expect(description).toContain(
			`use Get Task with the ID task_7 and ${LABELS.downloadResults} on; running`,
		);
		expect(messageOf({ kind: 'empty' }).description).toContain(
			' on, or Retry on the failed execution; running',
		);
	});

	test('has a message that tells it from every other', () => {
		const kinds = errors.filter(({ kind }) => kind !== 'storage');
		const messages = kinds.map((error) => messageOf(error).message);
		expect(new Set(messages).size).toBe(kinds.length);
	});

	test.each<[DownloadError, string, string]>([
		[{ kind: 'status', status: 404 }, 'no file at its address (404)', 'about a day'],
		[{ kind: 'status', status: 410 }, 'no file at its address (410)', 'fresh one'],
		[{ kind: 'status', status: 401 }, 'not accepted (401)', 'about a day'],
		[{ kind: 'status', status: 403 }, 'not accepted (403)', 'about a day'],
		[{ kind: 'status', status: 503 }, 'answered with 503', 'Try again later.'],
		[{ kind: 'network', reason: 'blocked' }, 'does not allow', 'Ask who runs this n8n'],
		[{ kind: 'network', reason: 'lost' }, 'broke off', 'can reach the address'],
		[
			{ kind: 'cutOff', receivedBytes: 1_240_000, declaredBytes: 2_500_000 },
			'only 1.2 MB of 2.5 MB came',
			'Try again later.',
		],
		[{ kind: 'stalled', receivedBytes: 0 }, 'stopped coming after 0.0 MB', 'Try again later.'],
		[{ kind: 'webPage' }, 'a web page or a text came', 'about a day'],
		[{ kind: 'tooLarge' }, 'larger than n8n stores', 'N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE'],
		[{ kind: 'tooLarge' }, 'larger than n8n stores', '512 unless set'],
		[{ kind: 'tooLarge' }, 'larger than n8n stores', 'N8N_DEFAULT_BINARY_DATA_MODE to filesystem'],
		[{ kind: 'diskFull' }, 'the disk of n8n is full', 'N8N_BINARY_DATA_STORAGE_PATH'],
		[{ kind: 'storage', reason: 'No.' }, 'could not store', 'n8n says: “No.” To fetch'],
		[{ kind: 'storage', reason: 'No' }, 'could not store', 'n8n says: “No”. To fetch'],
		[{ kind: 'storage' }, 'could not store', 'n8n gives no reason. To fetch'],
		[{ kind: 'address' }, 'http:// or https://', 'Look at the record'],
		[{ kind: 'noResults' }, 'no results in its record', 'Look at the record'],
	])('%j says what happened and what to do', (error, cause, next) => {
		expect(messageOf(error).message).toContain(cause);
		expect(messageOf(error).description).toContain(next);
	});
});

describe('the addresses of the results', () => {
	const urls = (count: number) =>
		Array.from({ length: count }, (_, at) => `https://e.com/${at}.mp4`);

	test('are missing where there are none, and the sentence ends', () => {
		const { message, description } = messageOf({ kind: 'noResults' }, [], null);
		expect(message).toContain('there are no results in its record');
		expect(description).toMatch(/pays again\.$/);
	});

	test('begin with the one that went wrong, and name each once', () => {
		const { description } = messageOf({ kind: 'empty' }, urls(3), urls(3)[1] ?? '');
		expect(description).toMatch(
			/: https:\/\/e\.com\/1\.mp4 , https:\/\/e\.com\/0\.mp4 , https:\/\/e\.com\/2\.mp4$/,
		);
	});

	test('are three at most, and the number of the others', () => {
		expect(messageOf({ kind: 'empty' }, urls(3), null).description).not.toContain(' more');
		const { description } = messageOf({ kind: 'empty' }, urls(5), null);
		expect(description).toMatch(/\/2\.mp4 and 2 more$/);
	});

	test('are whole, signature and all, however long a real one is', () => {
		const signed = `https://e.com/fox.mp4?X-Amz-Security-Token=${'a'.repeat(3_000)}&signature=bc`;
		expect(messageOf({ kind: 'empty' }, [signed], signed).description).toContain(` ${signed}`);
	});

	test('bring no line ends and no megabytes into a message', () => {
		const wicked = `https://e.com/a\n\u0007b${'c'.repeat(1_000_000)}`;
		const { description } = messageOf({ kind: 'empty' }, [wicked], wicked);
		expect(description).toContain('https://e.com/abccc');
		expect(messageOf({ kind: 'empty' }, [], 'https://e.com/a \r\n\u0007b').description).toMatch(
			/ https:\/\/e\.com\/ab$/,
		);
		expect(description).not.toMatch(/\p{Cc}/u);
		expect(description.length).toBeLessThan(10_000);
	});
});
