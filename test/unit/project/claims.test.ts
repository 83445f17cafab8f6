/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { nodeProperties } from '../../../nodes/Videogen/operations';
import { fileNameOf } from '../../../nodes/Videogen/files/names';
import { createRow } from '../../../nodes/Videogen/service/responseRules';
import { decide, type State } from '../../../nodes/Videogen/work/order';
import { tableRows } from '../../support/markdown';
import { orderOf } from '../../support/work';

const PROJECT = path.join(__dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');
const PAYMENT = read('docs/payment-and-retries.md');
const LIMITS = tableRows(read('docs/limits.md'));

/** The text of all files of the node. */
const SOURCE = readdirSync(path.join(PROJECT, 'nodes'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => read(`nodes/${file}`))
	.join('\n');

/** What a constant of the node is set to, whether it is exported or not. */
function constant(name: string, text = SOURCE): number {
	const pattern = new RegExp(`\\b${name}(?: = |: )([\\d_]+(?: \\* [\\d_]+)*)[;,} ]`);
	const [, written = ''] = pattern.exec(text) ?? [];
	if (written === '') throw new Error(`The node has no constant ${name}`);
	return written
		.split(' * ')
		.reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

/** What an entry of Options is set to unless a person changes it. */
const defaultOf = (name: string): unknown =>
	nodeProperties
		.flatMap(({ options = [] }) => options)
		.flatMap((entry) => ('default' in entry && entry.name === name ? [entry.default] : []))[0];

const numbersIn = (text = ''): number[] =>
	(
		text
			.replace(/\]\([^)]*\)/g, ']')
			.replaceAll(/(\d),(?=\d{3})/g, '$1')
			.match(/\d+/g) ?? []
	).map(Number);

describe('docs/limits.md says what the code does', () => {
	const MINUTE = 60_000;
	const LONGEST = constant('MAX_TIMEOUT_MINUTES');
	const GATE = 'nodes/Videogen/work/gate.ts';
	const each = (...names: string[]) => names.map((name) => constant(name));
	const [onDisk = NaN, elsewhere = NaN] = [...SOURCE.matchAll(/maxBytes: ([\d_]+)/g)].map(
		([, written = '']) => Number(written.replaceAll('_', '')),
	);
	const inSeconds = (ms: number) => ms / 1_000;
	test.each<[row: string, inOrder: () => unknown[]]>([
		['New videos of', () => each('MAX_NEW_TASKS_IN_EDITOR', 'MAX_NEW_TASKS_IN_PRODUCTION')],
		['Requests at once', () => each('MAX_CREATES_AT_ONCE', 'MAX_READS_AT_ONCE')],
		['For a video', () => [defaultOf('timeoutMinutes'), LONGEST, LONGEST / (24 * 60)]],
		// The same as for a video, an hour where the node does not wait, and for an MCP client.
		['For a place', () => [constant('CREATE_MS') / MINUTE, constant('MCP_CREATE_MS') / 1_000]],
		[
			'Between two reads',
			() => [
				defaultOf('pollIntervalSeconds'),
				...each('MAX_PLAIN_GAP_MS', 'MAX_GAP_MS').map(inSeconds),
			],
		],
		['Pause after a 429', () => [constant('MAX_PAUSE_MS', read(GATE)) / 1_000]],
		['For the answer to a create', () => [constant('createMs') / MINUTE]],
		['For the answer to a read', () => [constant('readMs') / 1_000]],
		['Creates without any connection', () => [constant('MAX_UNCONNECTED')]],
		['Reads that get 401', () => [constant('PATIENCE_MS') / MINUTE]],
		['Reads that do not find', () => [constant('known') / 1_000, constant('unseen') / 1_000]],
		['An item that a loop', () => [constant('RETURNED_PAUSE_MS') / 1_000]],
		['Results of a task', () => [constant('MAX_FILES'), onDisk / 1e9, elsewhere / 1e6]],
		['Time for', () => [constant('MIN_TIME_MS') / MINUTE, constant('windowMs') / 1_000]],
		['Tries, redirects', () => [constant('MAX_DOWNLOAD_TRIES')]],
		['Images inside', () => [constant('MAX_INLINE_BYTES') / 1e6]],
		['Links to input', () => [constant('LINK_LIFETIME_HOURS')]],
		['A URL, a task ID', () => [constant('MAX_URL_CHARACTERS')]],
		['A name of', () => [constant('MAX_NAME_CHARACTERS')]],
		['An answer of the provider', () => [constant('MAX_BODY_BYTES') / 1e6]],
	])('%s', (row, expected) => {
		const [found, ...others] = LIMITS.filter(({ What = '' }) => What.startsWith(row));
		expect(others).toEqual([]);
		expect(numbersIn(found?.Limit)).toEqual(expected());
	});
});

describe('docs/payment-and-retries.md says what the code does', () => {
	const rows = tableRows(PAYMENT);
	const names: Record<string, State> = {
		Nothing: 'new',
		'Maybe a task': 'sent',
		'A task': 'task',
		'A failed task': 'failed',
		'A final no': 'final',
	};
	const words = {
		create: /^Creates/,
		anew: /^Creates again/,
		read: /^Continues/,
		refuse: /^(?:Sends nothing|The same)/,
		same: /^Sends nothing/,
	};

	test.each(Object.entries(names))('state %s', (name, state) => {
		const row = rows.find(({ State: cell }) => cell === `**${name}**`) ?? {};
		const order = orderOf(state);
		const [automatic = '', person = ''] = Object.values(row).slice(2);
		expect(automatic).toMatch(words[decide(order, '1', false)]);
		expect(person).toMatch(words[decide(order, '2', false)]);
	});

	test('every status in the table of answers', () => {
		const answers = rows.filter((row) => row['Answer to a create']);
		const status = (code: number, isJson = false) =>
			createRow({ kind: 'status', status: code, isJson }).made;
		const [, again, no, maybe] = answers.map((row) =>
			numbersIn(
				row['Answer to a create']?.replace(
					/within \d+ minutes|503 with(?:out)? JSON|except 303/g,
					'',
				),
			),
		);
		expect(again?.map((code) => status(code))).toEqual(['later']);
		expect(new Set(no?.map((code) => status(code, true)))).toEqual(new Set(['no']));
		expect(new Set(maybe?.map((code) => status(code)))).toEqual(new Set(['maybe']));
		expect([status(503, true), status(503), status(303)]).toEqual(['no', 'maybe', 'maybe']);
	});
});

test('the log lines that the pages name are in the code', () => {
	const [, lines = ''] =
		/IDs are in n8n's log, in\s+lines with (.*?), at the level/s.exec(
			read('docs/for-administrators.md'),
		) ?? [];
	const quoted = [...lines.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
	expect(quoted).toHaveLength(2);
	for (const text of quoted) expect(SOURCE).toContain(`'${text}'`);
});

test('the example of a file name is what the node makes of the example', () => {
	const page = read('docs/files-and-output.md');
	const [, prompt] = /"prompt": "([^"]+)"/.exec(page) ?? [];
	const [, id = ''] = /"id": "([^"]+)"/.exec(page) ?? [];
	expect(page).toContain(`\`${fileNameOf(id, 0, 'video/mp4', prompt)}\``);
});
