/**
 * Extensions by media type: those of videos, and of what a service may give beside them. Files get
 * no other extension, so that no system runs them, whatever their host calls them.
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

/** What a result is unless the response or its name say otherwise: the service makes videos. */
const DEFAULT_MEDIA_TYPE = 'video/mp4';

/** Pages, notices and error reports; an image may be written as XML all the same. */
const TEXTS = /^(?:text\/.*|application\/(?:(?:.*\+)?(?:json|xml)|javascript))$/;

/** A media type without its parameters. */
export const plainType = (contentType: unknown): string =>
	String(contentType ?? '')
		.replace(/;.*/s, '')
		.trim()
		.toLowerCase();

/** Whether a response is something to read: a login, a notice, an error report, never a result. */
export const isWebPage = (contentType: unknown): boolean => TEXTS.test(plainType(contentType));

/** The media type of a result: the response is trusted first, then the file's name. */
export function mediaTypeOf(contentType: unknown, extension: string): string {
	const said = plainType(contentType);
	if (EXTENSIONS.has(said)) return said;
	const named = [...EXTENSIONS].find(([, known]) => known.includes(extension));
	return named?.[0] ?? DEFAULT_MEDIA_TYPE;
}

/** The extension that a file of a type of `mediaTypeOf` gets: its own when it fits. */
export function extensionFor(mediaType: string, own: string): string {
	const fitting = EXTENSIONS.get(mediaType) ?? [];
	return fitting.find((extension) => extension === own) ?? fitting[0] ?? '';
}
