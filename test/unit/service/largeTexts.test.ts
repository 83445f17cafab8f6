import { createReferenceVideo } from '../../../nodes/Videogen/operations/createReferenceVideo';
import { createTextVideo } from '../../../nodes/Videogen/operations/createTextVideo';
import { providerMessageIn, quoteOf } from '../../../nodes/Videogen/service/providerMessage';
import { createRow } from '../../../nodes/Videogen/service/responseRules';
import { Secrets } from '../../../nodes/Videogen/service/secrets';
import { createdTaskIn, idInText, namedTaskIdIn } from '../../../nodes/Videogen/service/task';
import { looksLikeHtml, parseJson } from '../../../nodes/Videogen/shared/json';
import { quotable } from '../../../nodes/Videogen/shared/text';
import { expectInTime } from '../../support/expectInTime';
import { planned } from '../fields/planned';

const MEGABYTES = 16;

/** Far more than the least, so that a busy machine is no reason to fail; the defects took seconds. */
const MAX_MS_PER_MEGABYTE = 200;

const KEY = 'sk-k?ey/12>345+6~';
const secrets = new Secrets(KEY);
const mask = (text: string): string => secrets.mask(text);

const many = (unit: string, megabytes: number): string =>
	unit.repeat(Math.ceil((megabytes * 1_000_000) / unit.length));

const IMAGE = 'data:image/png;base64,';
const NO_CLAIMS = `.eyJ${'a'.repeat(60)}`;
const CLAIMS_OF_ANOTHER = `.${Buffer.from('{"id":"a","iat":1,"exp":2}').toString('base64url')}a`;

/** All but the end of the key, however it is spelled: what a pattern follows the longest in vain. */
const NEARLY_THE_KEY = [
	KEY,
	encodeURIComponent(encodeURIComponent(KEY)),
	Buffer.from(KEY).toString('hex'),
	Buffer.from(KEY).toString('base64'),
].map((text) => text.slice(0, -1));

function understandAsValues(body: string): unknown {
	const json = { id: body, code: body, message: body, param: body, data: { task_id: body } };
	const said = providerMessageIn(json);
	createRow({ kind: 'status', status: 400, isJson: true, ...said });
	return [quoteOf(said), createdTaskIn(json), namedTaskIdIn(json)];
}
const understandAsText = (body: string): unknown => [
	idInText(body),
	looksLikeHtml(body),
	quotable(body),
	providerMessageIn(body),
];

const ANSWERS = [
	...[' ', '"id":"', '"id"         :', 'model ', 'content polic', '(request id: '],
	'insufficient_quot',
];
const LISTS = ['https://e.com/a.png ', ',', ',a', 'a ', ',http:/', 'a.', ' ', '\n'];
const PARAMS = ['x', '"'];
const VALUES = ['{{ ', '…', '1', '\ud83e '];

const videoOf = async (values: Record<string, unknown>) => await planned(createTextVideo, values);
const jsonOf = (a: unknown): string => JSON.stringify({ a });
const FILE_NAMES = 'referenceBinaryProperties';
const referencesOf = async (values: Record<string, unknown>) =>
	await planned(createReferenceVideo, values);
const withOptions = async (options: object) => await videoOf({ options });

const READERS: Array<[what: string, units: string[], read: (text: string) => unknown]> = [
	['an answer is masked', ['eyJ ', 'eyJ', 'eyJ.', NO_CLAIMS, CLAIMS_OF_ANOTHER], mask],
	['an answer is masked', ['https://e.com/a.mp4?a=%20b eyJ ', '%25', '\\'], mask],
	['an answer is masked', ['data:image/', IMAGE, `${KEY} `, ...NEARLY_THE_KEY], mask],
	['an image is masked', ['A', '\\/'], (text) => mask(IMAGE + text)],
	[
		'a word before claims is masked',
		['a'],
		(text) => mask(text + many(NO_CLAIMS, text.length / 16_000_000)),
	],
	['an answer is understood as a text', ANSWERS, understandAsText],
	['an answer is understood as values', ANSWERS, understandAsValues],
	['an answer is parsed', ['[', '"', '{"a":', '"\\"'], parseJson],
	['a list is read', LISTS, async (imageUrls) => await referencesOf({ imageUrls })],
	['a prompt is read', VALUES, async (prompt) => await videoOf({ prompt })],
	['a number is read', VALUES, async (duration) => await videoOf({ duration })],
	['a key is read', VALUES, async (idempotencyKey) => await withOptions({ idempotencyKey })],
	['a family is read', VALUES, async (modelFamily) => await withOptions({ modelFamily })],
	['Model Parameters are read', PARAMS, async (a) => await withOptions({ modelParams: { a } })],
	['their text is read', PARAMS, async (a) => await withOptions({ modelParams: jsonOf(a) })],
	['names are read', ['a,'], async (names) => await referencesOf({ [FILE_NAMES]: names })],
];

const expectQuick = async (read: (megabytes: number) => unknown) =>
	await expectInTime(read, MEGABYTES, MEGABYTES * MAX_MS_PER_MEGABYTE);

test.each(READERS)('%s in time, of many %j', async (_what, units, read) => {
	for (const unit of units) {
		await expectQuick(async (megabytes) => {
			await Promise.resolve(read(many(unit, megabytes))).catch(() => undefined);
		});
	}
});

test('Model Parameters of many objects are read in time', async () => {
	const objects = Array.from({ length: 500_000 }, (_, b) => ({ b, c: 'some text' }));
	const some = (megabytes: number) => objects.slice(0, (objects.length * megabytes) / MEGABYTES);
	await expectQuick(async (megabytes) => {
		await withOptions({ modelParams: { a: some(megabytes) } });
	});
	await expectQuick(
		async (megabytes) => await withOptions({ modelParams: jsonOf(some(megabytes)) }),
	);
});
