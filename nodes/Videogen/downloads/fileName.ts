import { parseUrl } from '../common/url';
import { extensionFor, mediaTypeOf } from './mediaType';

/** Long enough for any real title, short enough for limits of whole paths. */
const MAX_STEM_CHARACTERS = 100;
/** File systems take names of 255 bytes; an extension, and what others append, must fit too. */
const MAX_STEM_BYTES = 200;

/** Control characters, and those that reverse or hide text, with which a name can lie. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]+/gu;
/** Not allowed in names on some system. */
const RESERVED = /[<>:"|?*%$`!{}]+/g;
/** Windows takes them for devices, whatever follows their first dot. */
const RESERVED_NAME = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.|$)/i;

/** Names that say nothing, and that the results of all tasks may share. */
const SAYS_NOTHING =
	/^(?:video|output|out|result|file|download|media|clip|index|untitled|default)?[\d_-]*$/i;

/** A file's name and media type, fit for n8n and for a disk. */
export interface FileFacts {
	fileName: string;
	mediaType: string;
}

/** Where a result came from. */
export interface ResultSource {
	url: string;
	/** Header names in lower case. */
	headers: Record<string, unknown>;
	taskId: string;
	/** Counted from 0; only the first result may be named after the task alone. */
	index: number;
	/** Names that other results of the task have already. */
	takenNames?: Array<string | undefined>;
}

/**
 * Name and type of a downloaded result. The name comes from the response or the URL when it says
 * something, else from the task; its extension fits the type.
 */
export function fileFactsOf({
	url,
	headers,
	taskId,
	index,
	takenNames = [],
}: ResultSource): FileFacts {
	const names = [nameInDisposition(headers['content-disposition']), nameInUrl(url)];
	const usable = names.map((name) => partsOf(name ?? ''));
	const named = usable.find(({ stem }) => !SAYS_NOTHING.test(stem));
	const extension = usable.find((parts) => parts.extension !== '')?.extension ?? '';
	const mediaType = mediaTypeOf(headers['content-type'], extension);
	const stem = named?.stem ?? nameOfTask(taskId, index);
	const fitting = extensionFor(mediaType, named ? named.extension : extension);
	const fileName = `${stem}.${fitting}`;
	// Two files of one name would be saved over each other.
	const isTaken = takenNames.includes(fileName);
	return { fileName: isTaken ? `${stem}_${index}.${fitting}` : fileName, mediaType };
}

function nameOfTask(taskId: string, index: number): string {
	const stem = cleanStem(taskId) || 'video';
	return index === 0 ? stem : `${stem}_${index}`;
}

/** `filename*` (RFC 8187) before `filename`, as RFC 6266 has it. */
function nameInDisposition(header: unknown): string | undefined {
	const text = typeof header === 'string' ? header.slice(0, 4_096) : '';
	const extended = /filename\*\s*=\s*(?:utf-8|iso-8859-1)'[^']*'([^;\s]+)/i.exec(text)?.[1];
	if (extended !== undefined) return decoded(extended);
	const [, quoted, bare] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(text) ?? [];
	return quoted === undefined ? bare : quoted.replace(/\\(["\\])/g, '$1');
}

const nameInUrl = (url: string): string => decoded(parseUrl(url)?.pathname.split('/').at(-1) ?? '');

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
	return { stem: cleanStem(stem), extension: /^[a-z\d]+$/i.test(extension) ? extension : '' };
}

/** Fit for every file system; empty when nothing of it is. */
function cleanStem(text: string): string {
	const clean = text
		.normalize('NFC')
		.replace(INVISIBLE, '')
		.replace(/[/\\]/g, '_')
		.replace(RESERVED, '_')
		.replace(/\s+/g, ' ');
	const short = shortened(clean).replace(/^[\s.]+|[\s.]+$/g, '');
	return RESERVED_NAME.test(short) || !/[\p{L}\p{N}]/u.test(short) ? '' : short;
}

/** Cut between two characters, of which one has up to two code units and four bytes. */
function shortened(text: string): string {
	let short = '';
	const characters = Array.from(text.slice(0, 2 * MAX_STEM_CHARACTERS));
	for (const character of characters.slice(0, MAX_STEM_CHARACTERS)) {
		if (Buffer.byteLength(short + character) > MAX_STEM_BYTES) break;
		short += character;
	}
	return short;
}
