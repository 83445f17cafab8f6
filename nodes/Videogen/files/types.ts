import { parseUrl } from '../shared/url';
import { DownloadError } from './downloadError';

/** Media types, the extensions of their files and, for those of inputs, how files begin in hex. */
const TYPES: Array<[mediaType: string, extension: string, begins?: RegExp]> = [
	// Of the files of this family, pictures (HEIC, AVIF) and sound (M4A) are no videos.
	['video/mp4', 'mp4', /^.{8}66747970(?!6865|6d6966|61766966|4d3441)/],
	['video/quicktime', 'mov'],
	['video/webm', 'webm'],
	['image/png', 'png', /^89504e47/],
	['image/jpeg', 'jpg', /^ffd8ff/],
	['image/webp', 'webp', /^52494646.{8}57454250/],
	['audio/mpeg', 'mp3', /^(?:494433|fff[23ab])/],
	['audio/wav', 'wav', /^52494646.{8}57415645/],
];

/** Enough of a file for each of them. */
export const SIGNATURE_BYTES = 12;

/** What hosts say of files of which they know nothing. */
const GENERAL = /^(?:(?:application|binary)\/octet-stream)?$/;

/** A media type without its parameters. */
export const plainType = (contentType: unknown): string =>
	String(contentType ?? '')
		.replace(/;.*/s, '')
		.trim()
		.toLowerCase();

/** Whether it is the type of a video, an image or an audio file. */
export const isMedia = (mediaType: string): boolean => /^(?:video|image|audio)\//.test(mediaType);

/** The media type of a file by its first bytes; `undefined` when they do not say. */
export function typeOfBytes(bytes: Uint8Array): string | undefined {
	const first = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('hex');
	return TYPES.find(([, , begins]) => begins?.test(first))?.[0];
}

/**
 * The media type of a result: what its host says, else by the end of its path, else a video.
 * @throws DownloadError for what is no result, such as a web page or an error report
 */
export function typeOfResult(contentType: unknown, url: string): string {
	const said = plainType(contentType);
	if (isMedia(said)) return said;
	if (!GENERAL.test(said)) throw new DownloadError('notMedia');
	const path = parseUrl(url)?.pathname.toLowerCase();
	return TYPES.find(([, extension]) => path?.endsWith(`.${extension}`))?.[0] ?? 'video/mp4';
}

/** Files get no other extension, so that no system runs them as programs. */
export const extensionOf = (mediaType: string): string =>
	TYPES.find(([known]) => known === mediaType)?.[1] ?? 'bin';
