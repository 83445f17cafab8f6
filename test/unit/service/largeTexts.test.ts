/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import { createReferenceVideo } from '../../../nodes/Videogen/operations/createReferenceVideo';
import { createTextVideo } from '../../../nodes/Videogen/operations/createTextVideo';
import { providerMessageIn, quoteOf } from '../../../nodes/Videogen/service/providerMessage';
import { createRow } from '../../../nodes/Videogen/service/responseRules';
import { Secrets } from '../../../nodes/Videogen/service/secrets';
import { createdTaskIn, idInText, namedTaskIdIn } from '../../../nodes/Videogen/service/task';
import { looksLikeHtml, parseJson } from '../../../nodes/Videogen/shared/json';
import { quotable } from '../../../nodes/Videogen/shared/text';
import { planned } from '../fields/planned';

const MEGABYTES = 16;

/** Far more than the least, so that a busy machine is no reason to fail; the defects took seconds. */
const MAX_MS_PER_MEGABYTE = 200;

const KEY = 'sk-k?ey/12>345+6~';
const secrets = new Secrets(KEY);

const many = (unit: string, megabytes = MEGABYTES): string =>
	unit.repeat(Math.ceil((megabytes * 1_000_000) / unit.length));

/** All but the end of something, again and again: what a pattern follows the longest in vain. */
const almost = (text: string): string => many(text.slice(0, -1));

const IMAGE = 'data:image/png;base64,';
const hex = Buffer.from(KEY).toString('hex');
const base64 = Buffer.from(KEY).toString('base64');

const blocks: Array<[what: string, ms: number]> = [];

async function timed(what: string, work: () => unknown): Promise<void> {
	// Of the processor, because other programs are no part of it.
	const before = process.cpuUsage();
	await Promise.resolve(work()).catch(() => undefined);
	const { user, system } = process.cpuUsage(before);
	const ms = (user + system) / 1_000;
	blocks.push([what, ms]);
	expect(ms / MEGABYTES).toBeLessThan(MAX_MS_PER_MEGABYTE);
}

afterAll(() => {
	const [what, ms] = blocks.reduce((one, other) => (one[1] > other[1] ? one : other));
	process.stdout.write(
		`The longest of ${blocks.length} texts of ${MEGABYTES} MB: ${Math.round(ms)} ms, ${what}\n`,
	);
});

describe('what a service answers', () => {
	test.each([
		['the start of a token', 'eyJ '],
		['starts of tokens in one word', 'eyJ'],
		['parts of tokens', 'eyJ.'],
		['claims that are none', `.eyJ${'a'.repeat(60)}`],
		['claims of another', `.${Buffer.from('{"id":"a","iat":1,"exp":2}').toString('base64url')}a`],
		['URLs', 'https://e.com/a.mp4?a=%20b eyJ '],
		['starts of an image', 'data:image/'],
		['heads of an image', IMAGE],
		['percent signs', '%25'],
		['backslashes', '\\'],
	])('is masked in time: %s', async (what, unit) => {
		const text = many(unit);
		await timed(what, () => secrets.mask(text));
	});

	test.each([
		['an image', `${IMAGE}${many('A')}`],
		['an image with escapes', `${IMAGE}${many('\\/')}`],
		['a long word before claims', `${many('a')}${many(`.eyJ${'a'.repeat(60)}`, 1)}`],
		['nearly the key', almost(KEY)],
		['nearly the key, percent-encoded', almost(encodeURIComponent(encodeURIComponent(KEY)))],
		['nearly the key in hex', almost(hex)],
		['nearly the key in base64', almost(base64)],
		['the key', many(`${KEY} `)],
	])('is masked in time: %s', async (what, text) => {
		await timed(what, () => secrets.mask(text));
	});

	test.each([
		['blanks', ' '],
		['IDs', '"id":"'],
		['IDs and blanks', '"id"         :'],
		['models', 'model '],
		['policies', 'content polic'],
		['request ids', '(request id: '],
		['codes', 'insufficient_quot'],
	])('is understood in time: %s', async (what, unit) => {
		const body = many(unit);
		await timed(`${what}, as a text`, () => [
			idInText(body),
			looksLikeHtml(body),
			quotable(body),
			providerMessageIn(body),
		]);
		await timed(`${what}, as values`, () => {
			const json = { id: body, code: body, message: body, param: body, data: { task_id: body } };
			const said = providerMessageIn(json);
			createRow({ kind: 'status', status: 400, isJson: true, ...said });
			return [quoteOf(said), createdTaskIn(json), namedTaskIdIn(json)];
		});
	});

	test.each([
		['brackets', '['],
		['quotes', '"'],
		['objects', '{"a":'],
		['escapes', '"\\"'],
	])('is parsed in time: %s', async (what, unit) => {
		const text = many(unit);
		await timed(`JSON of ${what}`, () => parseJson(text));
	});
});

describe('what an expression gives', () => {
	test.each([
		['URLs', 'https://e.com/a.png '],
		['commas', ','],
		['commas and letters', ',a'],
		['words', 'a '],
		['schemes that do not end', ',http:/'],
		['a long scheme', 'a.'],
		['blanks', ' '],
		['line ends', '\n'],
	])('is read in time as a list: %s', async (what, unit) => {
		const text = many(unit);
		await timed(
			`a list of ${what}`,
			async () => await planned(createReferenceVideo, { imageUrls: text }),
		);
	});

	test.each([
		['expressions', '{{ '],
		['marks', '…'],
		['digits', '1'],
		['half characters', '\ud83e '],
	])('is read in time as a value: %s', async (what, unit) => {
		const text = many(unit);
		for (const values of [{ prompt: text }, { duration: text }]) {
			await timed(
				`${Object.keys(values).join()} of ${what}`,
				async () => await planned(createTextVideo, values),
			);
		}
		const options = { idempotencyKey: text, modelFamily: text };
		await timed(`options of ${what}`, async () => await planned(createTextVideo, { options }));
	});

	test.each([
		['texts', { a: many('x') }],
		['a text with quotes', { a: many('"', MEGABYTES / 2) }],
		['objects', { a: Array.from({ length: 500_000 }, (_, b) => ({ b, c: 'some text' })) }],
	])('is read in time as Model Parameters: %s', async (what, modelParams) => {
		const text = JSON.stringify(modelParams);
		for (const given of [modelParams, text]) {
			const options = { modelParams: given };
			await timed(
				`Model Parameters of ${what}`,
				async () => await planned(createTextVideo, { options }),
			);
		}
	});

	test('is read in time as names', async () => {
		const referenceBinaryProperties = many('a,');
		await timed(
			'names',
			async () => await planned(createReferenceVideo, { referenceBinaryProperties }),
		);
	});
});
