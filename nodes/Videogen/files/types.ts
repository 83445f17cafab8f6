import { parseUrl } from '../shared/url';
import { DownloadError } from './downloadError';

/** Media types, their file extensions, and how files start (in hex). */
const TYPES: Array<[mediaType: string, extension: string, begins: RegExp]> = [
	['video/quicktime', 'mov', /^.{8}6674797071742020/],
	// This container format also holds images (HEIC, AVIF) and audio (M4A), which are no videos.
	['video/mp4', 'mp4', /^.{8}66747970(?!6865|6d6966|61766966|4d3441)/],
	['video/webm', 'webm', /^1a45dfa3/],
	['image/png', 'png', /^89504e47/],
	['image/jpeg', 'jpg', /^ffd8ff/],
	['image/webp', 'webp', /^52494646.{8}57454250/],
	['audio/mpeg', 'mp3', /^(?:494433|fff[23ab])/],
	['audio/wav', 'wav', /^52494646.{8}57415645/],
];

/** Enough bytes to match any of these patterns. */
export const SIGNATURE_BYTES = 12;

/** What hosts send for files they know nothing about. */
const GENERAL = /^(?:(?:application|binary)\/octet-stream)?$/;

/** A media type in lowercase, without its parameters. */
export const plainType = (contentType: unknown): string =>
	String(contentType ?? '')
		.replace(/;.*/s, '')
		.trim()
		.toLowerCase();

/** Whether this is the type of a video, an image or an audio file. */
export const isMedia = (mediaType: string): boolean => /^(?:video|image|audio)\//.test(mediaType);

/** The media type that a file's first bytes indicate, or `undefined` if they do not. */
export function typeOfBytes(bytes: Uint8Array): string | undefined {
	const first = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('hex');
	return TYPES.find(([, , begins]) => begins.test(first))?.[0];
}

/** How pages, XML and JSON start, after blanks and the mark of their encoding. */
const TEXT = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff\0)?\s*[<{["]/;

/**
 * The media type of a result: from its first bytes, else from its host, else from the extension in
 * its path, else video.
 * @param first Its first bytes, as returned by `firstBytesOf`.
 * @throws DownloadError if it is not a result, such as a web page or an error report
 */
export function typeOfResult(
	contentType: unknown,
	url: string,
	first: Uint8Array = new Uint8Array(),
): string {
	const said = plainType(contentType);
	const found = typeOfBytes(first);
	if (found !== undefined) return found;
	if (!isMedia(said) && !GENERAL.test(said)) throw new DownloadError('notMedia');
	if (TEXT.test(Buffer.from(first).toString('latin1'))) throw new DownloadError('text');
	if (isMedia(said)) return said;
	const path = parseUrl(url)?.pathname.toLowerCase();
	return TYPES.find(([, extension]) => path?.endsWith(`.${extension}`))?.[0] ?? 'video/mp4';
}

/** Only known extensions are used, so that no system runs a file as a program. */
export const extensionOf = (mediaType: string): string =>
	TYPES.find(([known]) => known === mediaType)?.[1] ?? 'bin';
