import { readFileSync } from 'node:fs';
import path from 'node:path';
import type {
	NetworkReason,
	Trouble,
	UnreadableReason,
} from '../../../nodes/Videogen/client/answer';
import { createVerdict } from '../../../nodes/Videogen/client/verdict';
import type { DownloadTrouble } from '../../../nodes/Videogen/download/download';
import { downloadMessage } from '../../../nodes/Videogen/messages/downloadMessages';
import {
	invalidMessage,
	outcomeMessage,
	unansweredBeforeMessage,
} from '../../../nodes/Videogen/messages/messages';
import { createImageVideo } from '../../../nodes/Videogen/operations/createImageVideo';
import { createTextVideo } from '../../../nodes/Videogen/operations/createTextVideo';
import type { Outcome } from '../../../nodes/Videogen/waiting/job';
import { completedTask } from '../../support/downloadScene';
import { fileOf, itemFilesWith, planWith, refusalOf } from '../../support/itemFilesScene';
import { codeIn, section, tableRows } from '../../support/markdown';

const README = readFileSync(path.join(__dirname, '..', '..', '..', 'README.md'), 'utf8');

const STATUSES = [302, 400, 401, 402, 403, 404, 408, 413, 418, 429, 500, 502, 503];
const NETWORK: NetworkReason[] = ['refused', 'unknownHost', 'tls', 'timeout', 'lost', 'blocked'];
const UNREADABLE: UnreadableReason[] = ['empty', 'html', 'notJson', 'notTask', 'otherTask'];

const troubles: Trouble[] = [
	...STATUSES.map((status): Trouble => ({ kind: 'status', status, isJson: true })),
	...NETWORK.map((reason): Trouble => ({ kind: 'network', reason })),
	...UNREADABLE.map((reason): Trouble => ({ kind: 'unreadable', reason, excerpt: '' })),
];

const task = completedTask(['https://e.com/fox.mp4'], 'task_7');
const failed = { ...task, status: 'failed', state: 'failed' } as const;

const outcomes: Array<Exclude<Outcome, { kind: 'done' }>> = [
	{ kind: 'failed', task: failed },
	{ kind: 'timedOut', taskId: 'task_7', task },
	{ kind: 'left', taskId: 'task_7' },
	{ kind: 'notStarted' },
	...troubles.flatMap((trouble): Array<Exclude<Outcome, { kind: 'done' }>> => [
		{ kind: 'notCreated', trouble, mayExist: createVerdict(trouble) === 'unknown' },
		{ kind: 'notRead', taskId: 'task_7', trouble },
	]),
];

const downloadTroubles: DownloadTrouble[] = [
	...[403, 404, 500].map((status): DownloadTrouble => ({ kind: 'status', status })),
	...NETWORK.map((reason): DownloadTrouble => ({ kind: 'network', reason })),
	{ kind: 'cutOff', receivedBytes: 1, declaredBytes: 2 },
	{ kind: 'empty' },
	{ kind: 'stalled', receivedBytes: 1 },
	{ kind: 'webPage' },
	{ kind: 'address' },
	{ kind: 'noResults' },
	{ kind: 'tooLarge' },
	{ kind: 'diskFull' },
	{ kind: 'storage' },
	{ kind: 'stopped' },
];

/** What the node says about frames from binary fields of such an item. */
const refusalOfFrame = (...scene: Parameters<typeof itemFilesWith>): string =>
	refusalOf(() =>
		planWith(
			createImageVideo,
			{ imageSource: 'binary', firstFrameBinaryProperty: 'data' },
			itemFilesWith(...scene),
		),
	).message;

/** Messages as the node really makes them, one of each kind at least. */
const messages: string[] = [
	...outcomes.map((outcome) => outcomeMessage(outcome, 'retry').message),
	...downloadTroubles.map(
		(trouble) => downloadMessage(task, { kind: 'notDownloaded', trouble }, 'retry').message,
	),
	unansweredBeforeMessage('retry', true).message,
	invalidMessage(
		refusalOf(() => planWith(createTextVideo, { duration: 99 }, itemFilesWith(undefined))),
	).message,
	refusalOfFrame(undefined),
	refusalOfFrame({ data: fileOf('image/png', { id: undefined }) }),
	refusalOfFrame({ data: fileOf('image/png') }, { n8nUrl: 'http://localhost:5678' }),
];

/** What only stands beside the error that stopped the run, and names itself. */
const STOPPED = /^(?:Nothing was sent for this item$|Task task_7 was left )/;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `…` stands for anything, an id for example. */
const patternOf = (beginning: string): RegExp =>
	new RegExp(`^${beginning.split('…').map(escaped).join('.*')}`);

const quotes = tableRows(section(README, 'When something goes wrong')).map(
	(row) => codeIn(row['Message begins with'] ?? '')[0] ?? '',
);

describe("the README's table of messages", () => {
	test.each(quotes)('%s is the beginning of a message of the node', (quote) => {
		expect(messages.filter((message) => patternOf(quote).test(message))).not.toEqual([]);
	});

	test('has a row for every message that people meet', () => {
		const patterns = quotes.map(patternOf);
		const missing = messages.filter((message) => !patterns.some((one) => one.test(message)));
		expect(missing.filter((message) => !STOPPED.test(message))).toEqual([]);
		expect(quotes.length).toBeGreaterThan(15);
	});

	test('would not take a message that the node does not have', () => {
		const pattern = patternOf('The service did not accept the API key (402)');
		expect(messages.filter((message) => pattern.test(message))).toEqual([]);
	});
});
