import { MAX_NAME_CHARACTERS, withoutEdges } from '../common/bounds';
import { parseUrl } from '../common/url';
import { isPracticeId } from '../service/practice';
import { extensionFor, mediaTypeOf } from './mediaType';

/** Long enough for a title; most file systems allow 255 bytes for a name. */
const MAX_STEM_BYTES = 100;

/** Control characters, and characters that hide text or change its direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]+/gu;
/** Characters that some systems do not allow in names, or that a shell or n8n understands. */
const RESERVED = /[/\\<>:"|?*%$`!{}]+/g;
/** Names of devices on Windows, whatever follows their first dot. */
const RESERVED_NAME = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)/i;
/** Names that the results of all tasks may have. */
const SAYS_NOTHING =
	/^(?:video|output|out|result|file|download|media|clip|index|untitled|default)?[\d_-]*$/i;

/** A result of a task. */
export interface ResultSource {
	url: string;
	taskId: string;
	/** Counted from 0. Only the first result is named after the task alone. */
	index: number;
	/** The names of other results of the task. */
	takenNames?: Array<string | undefined>;
}

/**
 * Name and type of a downloaded result. The name comes from the response (header names in lower
 * case) or the URL when it says something, else from the task; its extension fits the type.
 */
export function fileFactsOf(
	{ url, taskId, index, takenNames = [] }: ResultSource,
	headers: Record<string, unknown>,
): { fileName: string; mediaType: string } {
	const urlName = decoded(parseUrl(url)?.pathname.split('/').at(-1) ?? '');
	const names = [nameInDisposition(headers['content-disposition']), urlName].map(partsOf);
	const named = names.find(({ stem }) => !SAYS_NOTHING.test(stem));
	const extension = names.find((parts) => parts.extension !== '')?.extension ?? '';
	const mediaType = mediaTypeOf(headers['content-type'], extension);
	const ofTask = cleanStem(taskId) || 'video';
	const given = named?.stem ?? (index === 0 ? ofTask : `${ofTask}_${index}`);
	// A clip that shows no video is to be told from one that does.
	const stem = isPracticeId(taskId) ? given.replace(/^(?:practice-)?/, 'practice_') : given;
	const fitting = extensionFor(mediaType, extension);
	const fileName = `${stem}.${fitting}`;
	// Two files of one name would be saved over each other.
	const isTaken = takenNames.includes(fileName);
	return { fileName: isTaken ? `${stem}_${index}.${fitting}` : fileName, mediaType };
}

/** `filename*` (RFC 8187) before `filename`, as RFC 6266 has it. */
function nameInDisposition(header: unknown): string {
	const text = typeof header === 'string' ? header.slice(0, 4_096) : '';
	const extended = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(text)?.[1];
	if (extended !== undefined) return decoded(extended);
	const [, quoted, bare] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(text) ?? [];
	return quoted?.replace(/\\(["\\])/g, '$1') ?? bare ?? '';
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** A name without its folders, split at its last dot. */
function partsOf(name: string): { stem: string; extension: string } {
	const base = name.split(/[/\\]/).at(-1) ?? '';
	const [, stem = base, extension = ''] = /^(.*)\.([^.]{1,8})$/s.exec(base) ?? [];
	return { stem: cleanStem(stem), extension: extension.toLowerCase() };
}

/** Fit for every file system; empty when nothing of it is. */
function cleanStem(text: string): string {
	const clean = text
		.slice(0, MAX_NAME_CHARACTERS)
		.normalize('NFC')
		.replace(INVISIBLE, '')
		.replace(RESERVED, '_')
		.replace(/\s+/g, ' ');
	const short = Buffer.from(clean).subarray(0, MAX_STEM_BYTES).toString();
	// A character that was cut in two is unreadable.
	const stem = withoutEdges(short, /[\s.\ufffd]/);
	return RESERVED_NAME.test(stem) || !/[\p{L}\p{N}]/u.test(stem) ? '' : stem;
}
