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

/** Types of pages, notices and error reports. An SVG image has none of them, although it is XML. */
const TEXTS = /^(?:text\/.*|application\/(?:(?:.*\+)?(?:json|xml)|javascript))$/;

/** A media type without its parameters. */
export const plainType = (contentType: unknown): string =>
	String(contentType ?? '')
		.replace(/;.*/s, '')
		.trim()
		.toLowerCase();

/** Whether a response is a text, such as a login page or an error report, and so no result. */
export const isWebPage = (contentType: unknown): boolean => TEXTS.test(plainType(contentType));

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
