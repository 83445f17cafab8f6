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

/** Patterns are held to this by ESLint; here is what is made of several, or of text. */

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
