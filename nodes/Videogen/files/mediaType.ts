import type { ByteStream } from '../ground/storage';

/**
 * Extensions by media type, for videos and for what a service may give beside them. Files get no other
 * extension, so that no system runs them as programs.
 */
const EXTENSIONS = new Map([
	['video/mp4', ['mp4', 'm4v']],
	['application/mp4', ['mp4']],
	['video/webm', ['webm']],
	['video/quicktime', ['mov']],
	['video/x-matroska', ['mkv']],
	['video/x-msvideo', ['avi']],
	['video/mpeg', ['mpeg', 'mpg']],
	['image/png', ['png']],
	['image/jpeg', ['jpg', 'jpeg']],
	['image/webp', ['webp']],
	['image/gif', ['gif']],
	['image/heic', ['heic', 'heif']],
	['image/avif', ['avif']],
	['audio/mpeg', ['mp3']],
	['audio/mp4', ['m4a']],
	['audio/wav', ['wav']],
	['audio/ogg', ['ogg', 'oga']],
	['audio/flac', ['flac']],
	['audio/aac', ['aac']],
	['application/zip', ['zip']],
]);

/** The type of a result where neither the response nor its name gives one. */
const DEFAULT_MEDIA_TYPE = 'video/mp4';

const MEDIA = /^(?:video|image|audio)\//;

/** What hosts and n8n say of files of which they know nothing. */
const GENERAL =
	/^(?:(?:application|binary)\/octet-stream|application\/(?:x-)?(?:binary|unknown))?$/;

/** What files begin with, in hex. */
const SIGNATURES: Array<[begins: RegExp, mediaType: string]> = [
	[/^.{8}667479707174/, 'video/quicktime'],
	[/^.{8}667479704d3441/, 'audio/mp4'],
	[/^.{8}66747970(?:6865|6d6966)/, 'image/heic'],
	[/^.{8}6674797061766966/, 'image/avif'],
	[/^.{8}66747970/, 'video/mp4'],
	[/^1a45dfa3/, 'video/webm'],
	[/^52494646.{8}41564920/, 'video/x-msvideo'],
	[/^52494646.{8}57415645/, 'audio/wav'],
	[/^52494646.{8}57454250/, 'image/webp'],
	[/^000001b[3a]/, 'video/mpeg'],
	[/^89504e47/, 'image/png'],
	[/^ffd8ff/, 'image/jpeg'],
	[/^47494638/, 'image/gif'],
	[/^4f676753/, 'audio/ogg'],
	[/^664c6143/, 'audio/flac'],
	[/^fff[19]/, 'audio/aac'],
	[/^(?:494433|fff[23ab])/, 'audio/mpeg'],
	[/^504b0304/, 'application/zip'],
];
/** Enough for each of them. */
export const SIGNATURE_BYTES = 12;

/** A media type without its parameters. */
export const plainType = (contentType: unknown): string =>
	String(contentType ?? '')
		.replace(/;.*/s, '')
		.trim()
		.toLowerCase();

/** Whether a response is said to be a result; a login page or an error report is not. */
export const isMedia = (contentType: unknown): boolean => MEDIA.test(plainType(contentType));

/** Whether this is the type of an image, a video or an audio file by its usual name. */
export const isKnownMedia = (mediaType: string): boolean =>
	MEDIA.test(mediaType) && EXTENSIONS.has(mediaType);

/** The media type of a file by its first bytes; `undefined` when they do not say. */
export function typeOfBytes(bytes: Buffer): string | undefined {
	const first = bytes.subarray(0, SIGNATURE_BYTES).toString('hex');
	return SIGNATURES.find(([begins]) => begins.test(first))?.[1];
}

/** The same of a body; the bytes stay in it. */
export const typeOfBody = async (body: ByteStream): Promise<string | undefined> =>
	typeOfBytes(await firstBytes(body));

/**
 * The media type of a file that comes in. What its first bytes say counts within the kind that n8n
 * says: they do not tell an audio file in the form of a video from a video.
 * @param said What n8n says, which has it from the host of the file.
 */
export function typeOfInput(said: string, ofBytes: string | undefined, fileName = ''): string {
	const kind = MEDIA.exec(said)?.[0] ?? '';
	if (ofBytes?.startsWith(kind)) return ofBytes;
	return GENERAL.test(said) ? (typeNamed(extensionOf(fileName)) ?? '') : said;
}

/** @throws What the body broke off with. */
const firstBytes = async (body: ByteStream): Promise<Buffer> =>
	await new Promise((resolve, reject) => {
		const pieces: Uint8Array[] = [];
		const finish = () => {
			body.off('readable', look);
			const bytes = Buffer.concat(pieces);
			if (bytes.length > 0 && !body.readableEnded) body.unshift(bytes);
			resolve(bytes);
		};
		const look = () => {
			const piece: unknown = body.read();
			if (piece instanceof Uint8Array) pieces.push(piece);
			if (Buffer.concat(pieces).length >= SIGNATURE_BYTES) finish();
		};
		body.on('readable', look).on('end', finish);
		body.on('error', reject).on('close', () => reject(new Error('The body broke off')));
	});

/** The extension of a name or path, in lower case; empty when it has none. */
export const extensionOf = (name: string): string =>
	/\.([a-z\d]{1,8})$/i.exec(name.slice(-9))?.[1]?.toLowerCase() ?? '';

const typeNamed = (extension: string): string | undefined =>
	[...EXTENSIONS].find(([, known]) => known.includes(extension))?.[0];

/** The media type of a result, by its response, else by the extension of its name. */
export function mediaTypeOf(contentType: unknown, extension: string): string {
	const said = plainType(contentType);
	return EXTENSIONS.has(said) ? said : (typeNamed(extension) ?? DEFAULT_MEDIA_TYPE);
}

/** The extension for a media type of `mediaTypeOf`; a file keeps its own when that fits. */
export function extensionFor(mediaType: string, own: string): string {
	const fitting = EXTENSIONS.get(mediaType) ?? [];
	return fitting.find((extension) => extension === own) ?? fitting[0] ?? '';
}
