import type { ByteStream } from '../common/byteStream';

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
	['audio/mpeg', ['mp3']],
	['audio/mp4', ['m4a']],
	['audio/wav', ['wav']],
	['application/zip', ['zip']],
]);

/** The type of a result where neither the response nor its name gives one. */
const DEFAULT_MEDIA_TYPE = 'video/mp4';

const MEDIA = /^(?:video|image|audio)\//;

/** What files begin with, as characters of one byte each. */
const SIGNATURES: Array<[begins: RegExp, mediaType: string]> = [
	[/^.{4}ftypqt/s, 'video/quicktime'],
	[/^.{4}ftypM4A/s, 'audio/mp4'],
	[/^.{4}ftyp/s, 'video/mp4'],
	[/^\x1aE\xdf\xa3/, 'video/webm'],
	[/^RIFF.{4}AVI /s, 'video/x-msvideo'],
	[/^RIFF.{4}WAVE/s, 'audio/wav'],
	[/^RIFF.{4}WEBP/s, 'image/webp'],
	[/^\0\0\x01[\xb3\xba]/, 'video/mpeg'],
	[/^\x89PNG/, 'image/png'],
	[/^\xff\xd8\xff/, 'image/jpeg'],
	[/^GIF8/, 'image/gif'],
	[/^(?:ID3|\xff[\xf2\xf3\xfb])/, 'audio/mpeg'],
	[/^PK\x03\x04/, 'application/zip'],
];
/** Enough for each of them. */
const SIGNATURE_BYTES = 12;

/** A media type without its parameters. */
export const plainType = (contentType: unknown): string =>
	String(contentType ?? '')
		.replace(/;.*/s, '')
		.trim()
		.toLowerCase();

/** Whether a response is said to be a result; a login page or an error report is not. */
export const isMedia = (contentType: unknown): boolean => MEDIA.test(plainType(contentType));

/** The media type of a body by its first bytes, which stay in it; `undefined` when they do not say. */
export async function typeOfBody(body: ByteStream): Promise<string | undefined> {
	const first = (await firstBytes(body)).toString('latin1');
	return SIGNATURES.find(([begins]) => begins.test(first))?.[1];
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

/** The media type of a result, by its response, else by the extension of its name. */
export function mediaTypeOf(contentType: unknown, extension: string): string {
	const said = plainType(contentType);
	if (EXTENSIONS.has(said)) return said;
	const named = [...EXTENSIONS].find(([, known]) => known.includes(extension));
	return named?.[0] ?? DEFAULT_MEDIA_TYPE;
}

/** The extension for a media type of `mediaTypeOf`; a file keeps its own when that fits. */
export function extensionFor(mediaType: string, own: string): string {
	const fitting = EXTENSIONS.get(mediaType) ?? [];
	return fitting.find((extension) => extension === own) ?? fitting[0] ?? '';
}
