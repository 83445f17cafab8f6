import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
	createSourceFile,
	forEachChild,
	isRegularExpressionLiteral,
	type Node,
	ScriptTarget,
} from 'typescript';
import { wholeId } from '../../nodes/Videogen/ground/text';
import { fileFactsOf } from '../../nodes/Videogen/files/fileName';
import { downloadMessage } from '../../nodes/Videogen/files/downloadWords';
import { wordsOfFailed } from '../../nodes/Videogen/service/failure';
import { sentOptions } from '../../nodes/Videogen/fields/options';
import { shown } from '../../nodes/Videogen/ground/words';
import { binaryFieldsField, urlsField } from '../../nodes/Videogen/fields/lists';
import { taskId } from '../../nodes/Videogen/fields/getTask';
import { partsOf } from '../../nodes/Videogen/fields/prompt';
import { cleanBaseUrl } from '../../nodes/Videogen/service/authenticate';
import { messageIn } from '../../nodes/Videogen/service/errorPayload';
import { asTask } from '../../nodes/Videogen/service/task';
import { growthOf, type Hostile, MOST_GROWTH } from '../programs/support/growth';

const PROJECT = path.join(__dirname, '..', '..');

/** All regular expressions of the package, each once. */
const PATTERNS = new Map(
	['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
				.filter((file) => file.endsWith('.ts'))
				.map((file) => path.join(PROJECT, folder, file)),
		)
		.flatMap((file) =>
			patternsIn(createSourceFile(file, readFileSync(file, 'utf8'), ScriptTarget.Latest)),
		)
		.map((text) => [text, patternOf(text)]),
);

function patternsIn(node: Node): string[] {
	const inside: string[] = [];
	forEachChild(node, (child) => {
		inside.push(...patternsIn(child));
	});
	return isRegularExpressionLiteral(node) ? [node.text, ...inside] : inside;
}

function patternOf(literal: string): RegExp {
	const end = literal.lastIndexOf('/');
	return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

/** Every sign of a keyboard, those that people do not see, and what patterns of the node begin with. */
const AGAIN = [
	...Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at)),
	...['\n', '\t', '\u0000', '\u0301', '\u202e', '\ud800', '\ufffd'],
	...['https://', 'https://dropbox.com/', 'https://dropbox.com/,', ',https', '.v1', '/v1', '../'],
	...['{{', '{{}', '?token=', '?sig%3d', 'eyJ', 'eyJa.', 'eyJa.eyJa.', '-eyJ', ' a', ', ', '&#'],
	...['filename', 'filename=', 'filename="\\', "filename*=utf-8'", "filename*=utf-8''", '\\"'],
	...['sensitive', 'content ', 'model', 'audio', 'polic', '+json', '.mp4', 'dl=1', 'case '],
];
const HOSTILE: Hostile[] = [
	...AGAIN.map((again): Hostile => ['', again, '\u0000']),
	...AGAIN.map((again): Hostile => ['\u0000', again, '\u0000']),
	['', 'https://dropbox.com/,', '?dl=1'],
];

test('there are patterns to look at', () => expect(PATTERNS.size).toBeGreaterThan(60));

test.each([...PATTERNS])(
	'the time that %s takes grows with the text, not with its square',
	(_text, pattern) => {
		const growth = (hostile: Hostile) => growthOf((text) => text.search(pattern), hostile);
		expect(HOSTILE.filter((hostile) => growth(hostile) > MOST_GROWTH)).toEqual([]);
	},
);

const TEXTS = { displayName: 'Some Field', name: 'someField' };
const urls = urlsField(TEXTS, 'Choose File.');
const binaryFields = binaryFieldsField(TEXTS);

/** What an error or a value says of it does not matter here. */
const trying = (read: (text: string) => unknown) => (text: string) => {
	try {
		return read(text);
	} catch (thrown) {
		return String(thrown);
	}
};

const failed = { id: '1', status: 'failed', state: 'failed' as const, record: { error: 'a fox' } };
const withUrl = (url: string) => ({
	...{ model: 'm-reference-to-video', prompt: 'a fox' },
	image_urls: [url],
});

test.each<[what: string, read: (text: string) => unknown, hostile: Hostile]>([
	['a list of URLs with commas', (text) => urls.read(text), ['https://a.example/', ',', 'x']],
	['a list of entries', (text) => urls.read(text), ['', 'a ', '']],
	['a URL in an array', (text) => urls.read([text]), ['https://a.example/', ',', 'x']],
	['one URL', (text) => sentOptions({ callbackUrl: text }), ['https://a.example/', '/', 'x']],
	['names of binary fields', (text) => binaryFields.read(text), ['', ',', 'x']],
	['a task ID', (text) => taskId.read(text), ['', '\u0301\u0316', '']],
	['an ID in a record', (text) => asTask({ id: text, status: 'pending' }), ['', '../', '']],
	['an ID in a message', wholeId, ['', '\u0301', '']],
	['a value in a message', shown, ['', '\u202e', '']],
	['a Base URL', cleanBaseUrl, ['https://a.example', '/', 'x']],
	['what the service says', messageIn, ['', '?token=', '']],
	['a prompt with expressions', partsOf, ['=', '{', '']],
	[
		'a URL of a failed task',
		(url) => wordsOfFailed(failed, withUrl(url)),
		['', 'https://dropbox.com/,', '?dl=1'],
	],
	[
		'the name of a result in its URL',
		(url) => fileFactsOf({ url, taskId: '1', index: 0 }, {}),
		['https://a.example/', '%CC%81%CC%96', '.mp4'],
	],
	[
		'the name of a result by its prompt',
		(prompt) => fileFactsOf({ url: 'https://a.example', taskId: '1', index: 0, prompt }, {}),
		['', '\u0301\u0316', ''],
	],
	[
		'the type of a result',
		(type) =>
			fileFactsOf({ url: 'https://a.example', taskId: '1', index: 0 }, { 'content-type': type }),
		['', ';', ''],
	],
	[
		'a result that is named in a message',
		(url) =>
			downloadMessage(
				{ id: '1', status: 'completed', state: 'completed', record: {} },
				{ kind: 'notDownloaded', error: { kind: 'empty' }, url },
				true,
			),
		['https://a.example/', ' ', ''],
	],
])('%s takes time that grows with the text, not with its square', (_what, read, hostile) => {
	expect(growthOf(trying(read), hostile)).toBeLessThanOrEqual(MOST_GROWTH);
});
