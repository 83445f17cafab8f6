import { wholeId, asPlainText, shortened, MAX_URL_CHARACTERS } from './text';

/** The labels of the fields that messages send people to, as the editor shows them. */
export const LABELS = {
	apiKey: 'API Key',
	aspectRatio: 'Aspect Ratio',
	audioUrls: 'Audio URLs',
	baseUrl: 'Base URL',
	callbackUrl: 'Callback URL',
	contentFilter: 'Content Filter',
	downloadResults: 'Download Results',
	duration: 'Duration (Seconds)',
	environment: 'Environment',
	firstFrameBinaryProperty: 'First Image Field',
	firstFrameUrl: 'First Image URL',
	generateAudio: 'Generate Audio',
	getTask: 'Get Task',
	imageUrls: 'Image URLs',
	lastFrameBinaryProperty: 'Last Image Field',
	lastFrameUrl: 'Last Image URL',
	maxConcurrentTasks: 'Max Videos at Once',
	maxNewTasks: 'Max New Videos per Run',
	modelFamily: 'Model Family',
	modelParams: 'Model Parameters',
	options: 'Options',
	orderKey: 'Order Key',
	prompt: 'Prompt',
	quality: 'Quality',
	referenceBinaryProperties: 'Reference File Fields',
	reuseInEditor: 'Reuse Videos in Editor',
	resendAfterNoReply: 'Send Again if Unanswered',
	taskId: 'Task ID',
	timeoutMinutes: 'Timeout (Minutes)',
	videoUrls: 'Video URLs',
	waitForCompletion: 'Wait for Completion',
	webSearch: 'Web Search',
} as const;

/**
 * What an item's error is about, in one word that stays when its texts change, for switches in
 * workflows. What each of them means is written in docs/reference.md.
 */
export const ERROR_KINDS = [
	...(['invalid', 'limit', 'moderation', 'refused', 'balance', 'key', 'address'] as const),
	...(['rateLimited', 'noAnswer', 'serviceError', 'failed', 'cancelled', 'expired'] as const),
	...(['timeout', 'notFound', 'download', 'stopped'] as const),
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** What people read: what happened, and what to do next. */
export interface Message {
	message: string;
	description: string;
}

/** The two parts of a message, neither of them complete yet. */
export type Words = [what: string, next: string];

/** For an item whose create made no task. */
export const NOTHING_CREATED = 'Nothing was created for this item.';

export const TRY_LATER = 'Try again later, and ask the provider if this continues.';

/** In place of the status of a task that was never read. */
export const NO_STATUS = 'not known';

/** How to get a task that exists; `how` names what else to set in Get Task. */
export const fetchAdvice = (taskId: string, how = ''): string =>
	`Use ${LABELS.getTask} with ID ${wholeId(taskId)}${how}: that costs nothing more.`;

/** How to get a task that the node created. Get Task in its place would lose what its fields hold. */
export const fetchElsewhere = (taskId: string, how = ''): string =>
	fetchAdvice(taskId, `${how}${ELSEWHERE}`);

export const ELSEWHERE = ', in a new workflow';

/** A place as people count: the 1st for index 0. */
export const nth = (index: number): string => {
	const place = index + 1;
	const isTeen = Math.floor(place / 10) % 10 === 1;
	return `${place}${(!isTeen && ['th', 'st', 'nd', 'rd'][place % 10]) || 'th'}`;
};

/** An item as people count, in every text; n8n counts from 0. */
export const nthOf = (index: number, total: number): string =>
	total === 1 ? 'the item' : `the ${nth(index)} of ${total} items`;

/** The same in a list of items, where the number of all would only repeat. */
export const nthItem = (index: number): string => `${nth(index)} item`;

/** The first of some texts, and how many more there are. */
export function listed(texts: string[], limit: number, separator = ', '): string {
	const more = texts.length > limit ? ` and ${texts.length - limit} more` : '';
	return `${texts.slice(0, limit).join(separator)}${more}`;
}

/** Longer values are shortened in messages. */
const MAX_SHOWN_CHARACTERS = 80;

/** The label of a field, or of several together, and the name of a single one. */
export interface NamedField {
	displayName: string;
	name?: string;
}

/** A value that the contract or the node does not allow, told by the label of its field. */
export class InvalidParameter extends Error {
	override readonly name = 'InvalidParameter';

	constructor(
		readonly field: NamedField,
		/** The end of a sentence that begins with the label of the field. */
		whatIsWrong: string,
		/** What is allowed, or what to do next, as a whole sentence. */
		readonly advice: string,
		/** Whether nothing was given at all, or a file that has to come in another way. */
		readonly about?: 'nothing' | 'file',
	) {
		super(`${field.displayName}${whatIsWrong}`);
	}
}

export const emptyField = (field: NamedField, advice: string): InvalidParameter =>
	new InvalidParameter(field, ' is empty.', advice, 'nothing');

/** @param allowed What is allowed, as a whole sentence. */
export const notAllowed = (field: NamedField, given: unknown, allowed: string): InvalidParameter =>
	isEmpty(given)
		? emptyField(field, allowed)
		: new InvalidParameter(field, `: ${shown(given)} is not allowed.`, allowed);

/** Whether a field holds nothing but blanks, or an expression gave nothing. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A given value as a message shows it. */
export function shown(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	const text = typeof value === 'string' ? `"${value}"` : asText(value);
	return asPlainText(shortened(text, MAX_SHOWN_CHARACTERS));
}

/** Expressions can give what cannot be JSON, such as an object that holds itself. */
function asText(value: unknown): string {
	try {
		return JSON.stringify(value) ?? String(value);
	} catch {
		return 'what was given';
	}
}

/** Sentences on what to do, for checks of values and for messages. */

export const PASTE_KEY =
	"Open the Videogen credential and paste the key from the provider's console.";
export const GIVE_BASE_URL =
	'Open the Videogen credential and give the URL of the service, such as https://api.example.com, without a login, ? or #.';

export const GIVE_SCHEME = 'Begin it with https://, as in https://api.example.com.';

export const GIVE_FULL_URL = `Use a full URL that begins with http:// or https:// and has at most ${MAX_URL_CHARACTERS} characters.`;

export const GIVE_FILE =
	'No file came in: put a node that gives a file before this one, such as Google Drive or HTTP Request.';
export const PASS_ALONG =
	'Pass the file along to this node, so that it is in a binary field of the item, and give the name of that field.';
export const STORE_FILES =
	'Whoever runs this n8n can set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or database, in queue mode) and restart it.';

/** For a model, which calls the node as a tool. */
export const ABOUT_FILES_FOR_TOOL =
	'Tools get no files, not even those uploaded in the chat. Ask for a public URL of the file, and give that.';
export const FILE_IS_GONE =
	'n8n keeps some uploads only until the execution ends or waits. Upload it again, or store it before that.';
export const ONLY_IMAGES_INLINE =
	'Without a link, only an image of up to 10 MB can be sent. Give a public URL in place of the file.';

export const SET_PUBLIC_URL =
	'Whoever runs this n8n can set WEBHOOK_URL to its whole public URL, for example https://n8n.example.com/, without quotes, and restart it.';
