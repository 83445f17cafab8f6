import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.join(__dirname, '..', '..');
const TEXTS = /\.(?:md|json|[cm]?[jt]s)$/;

/** Wordings that the field does not use, each with what it says instead. */
const RETIRED: Array<[RegExp, string]> = [
	[/\b(?:follower|stumbles?|verdicts?)\b/i, 'task poller, record failure, retry policy'],
	// As a plain word, a pace is no rate limiter.
	[/\bAim\b/, 'poll target'],
	[
		/\b(?:alarms?|troubles?|wayBack|deliver(?:y|ies))\b/i,
		'timer, service error, download result, …',
	],
	[/\b(?:enterAnyway|giveUp|standIn|setAside|leftBehind)\b/i, 'acquire, signal, archive, …'],
	[/\.(?:enter|leave)\(/i, 'acquire, release'],
	[/\bmisses\b/i, 'failed reads'],
	[/\b(?:isOwn|lastSeen)\b/, 'createdByNode, isServiceOrigin, record'],
	[/\b_?take(?:File|Answer|Read)\w*/i, 'resolve, set, record'],
	[/(?<!indexed )\bby item\b/i, 'indexed by item'],
	[/\bparted by\b/i, 'separated by'],
	[/\bno hope for\b/i, 'can no longer succeed'],
	[/\bheed(?:s|ed|ing)?\b/i, 'respect'],
	[/\banew\b/i, 'again'],
	[/\bshall\b/i, 'should'],
	[/\bpictures?\b/i, 'image'],
	[/\bsound files?\b/i, 'audio file'],
	[/\bweb address(?:es)?\b/i, 'URL'],
	[/\b(?:is|are|be) in trouble\b/i, 'returned a server error'],
	[/\btakes no more requests\b/i, 'Rate limit reached'],
	[/\bno video generation at this address\b/i, 'Wrong Base URL'],
	[/\bendpoint not found\b/i, 'Wrong Base URL'],
	[/\bturning circle\b/i, 'spinner'],
	[/\bwas left while its status was\b/i, 'Stopped waiting for task'],
	[/\bgoes on at the service\b/i, 'is still running at the service'],
	[/\bResend After No Reply\b/i, 'Retry Unanswered Requests'],
	[/\bhow many lines the\b/i, 'Output resolution'],
	[/\blet the video end freely\b/i, 'leave the ending to the model'],
];

/** Every retired wording in a text, with what to say instead. */
const retiredIn = (text: string): string[] =>
	text.split('\n').flatMap((line, index) =>
		RETIRED.flatMap(([pattern, instead]) => {
			const found = pattern.exec(line)?.[0];
			return found ? [`line ${index + 1}: “${found}”, say: ${instead}`] : [];
		}),
	);

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'RELEASING.md'];
const FOLDERS = ['docs', 'examples', 'nodes', 'credentials', 'test'];

const filesIn = (folder: string): string[] =>
	readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => TEXTS.test(file) && path.basename(file) !== 'package-lock.json')
		.map((file) => path.join(folder, file));
/** All but this one, which quotes what it looks for. */
const FILES = [...DOCUMENTS, ...FOLDERS.flatMap(filesIn)].filter(
	(file) => path.join(PROJECT, file) !== __filename,
);

test('texts, code and tests use the words of the field', () => {
	const found = FILES.map((file) => [
		file,
		retiredIn(readFileSync(path.join(PROJECT, file), 'utf8')),
	]);
	expect(found.filter(([, wordings]) => wordings?.length)).toEqual([]);
	for (const folder of FOLDERS) expect(FILES.join('\n')).toContain(`${folder}${path.sep}`);
});
