import { MAX_NAME_CHARACTERS, withoutEdges } from '../ground/text';
import { parseUrl } from '../ground/url';
import { isPracticeId } from '../service/practice';
import { extensionFor, extensionOf, mediaTypeOf } from './mediaType';

/** Of the prompt: enough to know a video by, and short beside the id (file systems allow 255 bytes). */
const MAX_PROMPT_CHARACTERS = 30;
const MAX_ID_BYTES = 100;

/** All but what every file system, shell and browser takes in a name. */
const UNFIT = /[^\p{L}\p{N} _.,;+=#~()-]+/gu;
/** Names of devices on Windows, whatever follows their first dot. */
const RESERVED_NAME = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/** A result of a task. */
export interface ResultSource {
	url: string;
	taskId: string;
	/** 0 for the first result. */
	index: number;
	/** Absent for a task that the node only reads. */
	prompt?: string;
}

/**
 * Name and type of a downloaded result: the beginning of the prompt and the id, from the second result on
 * counted (docs/files-and-output.md). The extension fits the type.
 */
export function fileFactsOf(
	{ url, taskId, index, prompt = '' }: ResultSource,
	headers: Record<string, unknown>,
): { fileName: string; mediaType: string } {
	const path = parseUrl(url)?.pathname ?? '';
	const extension = extensionOf(path);
	const mediaType = mediaTypeOf(headers['content-type'], extension);
	const parts = [
		isPracticeId(taskId) ? 'practice' : '',
		beginningOf(prompt),
		fitId(taskId),
		index === 0 ? '' : String(index),
	];
	const stem = parts.filter((part) => part !== '').join('_');
	return { fileName: `${stem}.${extensionFor(mediaType, extension)}`, mediaType };
}

/** Its first words, letters and digits of every script; empty when it has none. */
function beginningOf(prompt: string): string {
	const text = prompt.slice(0, MAX_NAME_CHARACTERS).normalize('NFC').toLowerCase();
	const words = Array.from((text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join('-'));
	const cut = words.slice(0, MAX_PROMPT_CHARACTERS).join('');
	// The last word is whole, unless it is the only one.
	return words[MAX_PROMPT_CHARACTERS] === '-' || cut.length === words.join('').length
		? cut
		: cut.replace(/-[^-]*$/, '');
}

/** Fit for every file system. */
function fitId(taskId: string): string {
	const clean = taskId.replace(UNFIT, '_');
	const short = Buffer.from(clean).subarray(0, MAX_ID_BYTES).toString();
	// A character that was cut in two is unreadable.
	const id = withoutEdges(short, /[ .\ufffd]/);
	return RESERVED_NAME.test(id) || !/[\p{L}\p{N}]/u.test(id) ? 'video' : id;
}
