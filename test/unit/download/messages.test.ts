import type { DownloadError } from '../../../nodes/Videogen/files/downloadError';
import { downloadMessage } from '../../../nodes/Videogen/files/downloadWords';
import type { NetworkReason } from '../../../nodes/Videogen/service/answer';
import { completedTask } from '../../programs/support/downloadScene';

const URL = 'https://e.com/fox.mp4';

const messageOf = (
	error: DownloadError,
	results: unknown = [URL],
	url?: string,
	isCreated = false,
) =>
	downloadMessage(
		completedTask(results, 'task_7'),
		{ kind: 'notDownloaded', error, url },
		isCreated,
	);

const network = (reason: NetworkReason) => ({ kind: 'network', reason }) as const;
const cutOff = { kind: 'cutOff', receivedBytes: 1_234_567, declaredBytes: 2_500_000 } as const;
const told: Array<[DownloadError, cause: string, next: string]> = [
	[{ kind: 'status', status: 401 }, 'link was not accepted (401)', 'about a day'],
	[{ kind: 'status', status: 403 }, 'link was not accepted (403)', 'about a day'],
	[{ kind: 'status', status: 404 }, 'no file at its URL (404)', 'about a day'],
	[{ kind: 'status', status: 410 }, 'no file at its URL (410)', 'about a day'],
	[{ kind: 'status', status: 503 }, 'the host of the file answered with 503', 'Try again later.'],
	[network('connectionRefused'), 'no connection to the host', 'can reach that host'],
	[network('noRoute'), 'no network route to the host', 'can reach that host'],
	[network('unknownHost'), 'host name of the host of the file not found', 'can reach that host'],
	[network('tls'), 'no secure connection to the host', 'can reach that host'],
	[network('timeout'), 'no answer from the host of the file in time', 'Try again later.'],
	[network('lost'), 'the connection to the host of the file was lost', 'Try again later.'],
	[network('blocked'), 'n8n blocks the URL of the host', 'Ask who runs this n8n'],
	[cutOff, 'only 1.2 MB of 2.5 MB came', 'Try again later.'],
	[{ kind: 'stalled', receivedBytes: 0 }, 'stopped coming after 0.0 MB', 'Try again later.'],
	[{ kind: 'empty' }, 'the file is empty', 'Try again later.'],
	[{ kind: 'noMedia' }, 'such as a web page', 'about a day'],
	[{ kind: 'redirect' }, 'redirects too often', 'Look at the record'],
	[{ kind: 'login' }, 'has a user name in it', 'ask the provider'],
	[{ kind: 'local' }, 'leads into a local network', "give its local address as 'Base URL'"],
	[{ kind: 'compressed' }, 'came compressed', 'ask the provider'],
	[{ kind: 'tooMany' }, 'more than 50 results', 'by their links'],
	[{ kind: 'tooMuch' }, 'more than 2 GB together', 'by their links'],
	[{ kind: 'tooSlow' }, 'did not come in time', 'at least 10 minutes'],
	[{ kind: 'noUrl' }, 'no http(s) URL', 'Look at the record'],
	[{ kind: 'noResults' }, 'no results in its record', 'Look at the record'],
	[{ kind: 'tooLarge' }, 'larger than what n8n stores', 'N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE'],
	[{ kind: 'diskFull' }, 'the disk of n8n is full', 'N8N_BINARY_DATA_STORAGE_PATH'],
	[{ kind: 'storage', reason: 'No.' }, 'could not store', 'n8n says: “No.” '],
	[{ kind: 'storage', reason: 'No' }, 'could not store', 'n8n says: “No”. '],
	[{ kind: 'storage' }, 'could not store', 'n8n gives no reason. '],
	[{ kind: 'stopped' }, 'the node ended', 'It is still there.'],
];

test.each(told)(
	'an error of a download %j says what happened and, once, what to do',
	(error, cause, next) => {
		const { message, description } = messageOf(error);
		expect(message).toMatch(/^Task task_7 is completed, but not downloaded: [a-z].*[^.\s]$/);
		expect(message).toContain(cause);
		expect(description).toContain(next);
		expect(description).toContain("Use Get Task with ID task_7 and 'Download Results' on");
		expect(description.match(/costs nothing more/g)).toHaveLength(1);
		expect(`${message} ${description}`).not.toMatch(/undefined|\[object|NaN| {2}|\.\.|\.”\./);
	},
);

test('a created task is to be had in a new workflow: a node after this one would pay again', () => {
	const adviceOn = (isCreated: boolean) =>
		messageOf({ kind: 'empty' }, [URL], undefined, isCreated).description;
	expect(adviceOn(true)).toContain("'Download Results' on, in a new workflow: that");
	expect(adviceOn(false)).toContain("'Download Results' on: that");
});

describe('the URLs of the results', () => {
	const urls = [0, 1, 2, 3, 4].map((at) => `https://e.com/${at}.mp4`);

	test('are missing where there are none, and the sentence ends', () => {
		expect(messageOf({ kind: 'noResults' }, []).description).toMatch(/nothing more\.$/);
	});

	test('begin with the one that went wrong, name each once, and count what is too much', () => {
		const of = (results: string[]) => messageOf({ kind: 'empty' }, results, urls[1]).description;
		expect(of(urls.slice(0, 2))).toMatch(
			/: “https:\/\/e\.com\/1\.mp4”, “https:\/\/e\.com\/0\.mp4”\.$/,
		);
		expect(of(urls)).toMatch(/\/2\.mp4” and 2 more\.$/);
	});

	test('are whole, signature and all, but bring no line ends and no megabytes', () => {
		const signed = `https://e.com/fox.mp4?X-Amz-Security-Token=${'a'.repeat(3_000)}&signature=bc`;
		expect(messageOf({ kind: 'empty' }, [signed]).description).toContain(`“${signed}”`);
		const wicked = `https://e.com/a\r\n\u0007b${'c'.repeat(1_000_000)}`;
		const { description } = messageOf({ kind: 'empty' }, [wicked]);
		expect(description).toContain('https://e.com/abccc');
		expect(description).not.toMatch(/\p{Cc}/u);
		expect(description.length).toBeLessThan(10_000);
	});
});
