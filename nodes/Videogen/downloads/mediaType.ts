/** Extensions by media type; the first one is given to files that have none that fits. */
const EXTENSIONS: Record<string, string[]> = {
	'video/mp4': ['mp4', 'm4v'],
	'video/webm': ['webm'],
	'video/quicktime': ['mov'],
	'video/x-matroska': ['mkv'],
	'video/x-msvideo': ['avi'],
	'video/mpeg': ['mpeg', 'mpg'],
	'video/mp2t': ['ts'],
	'image/png': ['png'],
	'image/jpeg': ['jpg', 'jpeg'],
	'image/webp': ['webp'],
	'image/gif': ['gif'],
	'image/avif': ['avif'],
	'image/svg+xml': ['svg'],
	'audio/mpeg': ['mp3'],
	'audio/wav': ['wav'],
	'audio/mp4': ['m4a'],
	'audio/aac': ['aac'],
	'audio/ogg': ['ogg'],
	'audio/flac': ['flac'],
	'application/json': ['json'],
	'application/zip': ['zip'],
	'application/pdf': ['pdf'],
};

/** Other names for the same thing. */
const SAME_TYPE: Record<string, string> = {
	'image/jpg': 'image/jpeg',
	'audio/mp3': 'audio/mpeg',
	'audio/x-wav': 'audio/wav',
	'audio/wave': 'audio/wav',
	'audio/x-m4a': 'audio/mp4',
	'application/mp4': 'video/mp4',
};

/** What servers say of a file of which they know nothing. */
const SAYS_NOTHING = /^(?:application|binary)\/(?:octet-stream|force-download|x-\w*download)$/;
const MEDIA_TYPE = /^[a-z\d!#$&^_.+-]{1,60}\/[a-z\d!#$&^_.+-]{1,60}$/;

/** What a result is unless the response or its name say otherwise: the service makes videos. */
const DEFAULT_MEDIA_TYPE = 'video/mp4';

/** Pages, notices and error reports; a picture may be written as XML all the same. */
const TEXTS = /^(?:text\/.*|application\/(?:(?:.*\+)?(?:json|xml)|javascript))$/;

/** A media type without its parameters, under its usual name; `undefined` when it is none. */
function plainType(contentType: unknown): string | undefined {
	const type = String(contentType ?? '')
		.split(';')[0]
		?.trim()
		.toLowerCase();
	if (type === undefined || !MEDIA_TYPE.test(type)) return undefined;
	return SAME_TYPE[type] ?? type;
}

/** Whether a response is something to read: a login, a notice, an error report, never a result. */
export const isWebPage = (contentType: unknown): boolean =>
	TEXTS.test(plainType(contentType) ?? '');

/** The media type of a result: the response is trusted first, then the file's name. */
export function mediaTypeOf(contentType: unknown, extension: string): string {
	const said = plainType(contentType);
	if (said !== undefined && !SAYS_NOTHING.test(said)) return said;
	return typeByExtension(extension) ?? DEFAULT_MEDIA_TYPE;
}

const typeByExtension = (extension: string): string | undefined =>
	Object.entries(EXTENSIONS).find(([, known]) => known.includes(extension.toLowerCase()))?.[0];

/**
 * The extension that a file of this type gets: its own when it fits, else the usual one. Of a type
 * that is not known here, its own is kept unless it is known for another kind of file.
 */
export function extensionFor(mediaType: string, own: string): string {
	const fitting = EXTENSIONS[mediaType];
	if (fitting) return fitting.includes(own.toLowerCase()) ? own.toLowerCase() : (fitting[0] ?? '');
	return isHarmless(own) && mayBe(mediaType, own) ? own.toLowerCase() : 'bin';
}

/** Unless the extension is known for something of another kind. */
function mayBe(mediaType: string, extension: string): boolean {
	const known = typeByExtension(extension);
	return known === undefined || kindOf(known) === kindOf(mediaType);
}

/** Containers such as Ogg and WebM hold either sound or pictures that move. */
const kindOf = (mediaType: string): string =>
	(mediaType.split('/')[0] ?? '').replace('audio', 'video');

/** Of a type nobody knows, only what no system would run. */
const RUNS = /^(?:exe|com|bat|cmd|msi|scr|ps1|vbs|js|mjs|jar|sh|app|dll|lnk|hta|html?|php|py)$/i;
const isHarmless = (extension: string): boolean =>
	/^[a-z\d]{1,8}$/i.test(extension) && !RUNS.test(extension);
