import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { badRequest, bodyOf, checkToken, refused } from './google';
import { json, type PlayedFile, type PlayedHost } from './http';
import { ResumableUploads } from './resumableUploads';

const ANGLES = /[<>]/;
const text = (max: number) =>
	z
		.string()
		.max(max)
		.refine((given) => !ANGLES.test(given));
const videoSchema = z.object({
	snippet: z
		.object({
			title: text(100).refine((title) => title.trim() !== ''),
			description: text(5_000).optional(),
			categoryId: z.string().regex(/^\d+$/),
		})
		.passthrough(),
	status: z.object({ privacyStatus: z.enum(['private', 'unlisted', 'public']) }).passthrough(),
	recordingDetails: z.object({}).passthrough(),
});

/** A video of the channel. */
export interface ChannelVideo extends Omit<PlayedFile, 'name'> {
	title: string;
	description: string;
	privacyStatus: string;
}

/** YouTube's uploads, at `www.googleapis.com`. */
export class YouTube {
	videos: ChannelVideo[] = [];
	/** How many uploads the day still has; then comes the quota error. */
	uploadsLeft = Infinity;
	private readonly uploads = new ResumableUploads<z.infer<typeof videoSchema>>();

	readonly host: PlayedHost = (request) => {
		const { method, url } = request;
		if (url.pathname !== '/upload/youtube/v3/videos') throw badRequest('Not played');
		if (method === 'PUT') {
			const { metadata, ...file } = this.uploads.finish(request);
			const { snippet, status } = metadata;
			const id = randomBytes(8).toString('base64url');
			const { title, description = '' } = snippet;
			this.videos.push({ id, ...file, title, description, ...status });
			return json({ kind: 'youtube#video', id, snippet, status });
		}
		checkToken(request);
		const video = bodyOf(request, videoSchema);
		if (this.uploadsLeft <= 0) {
			throw refused(403, 'quotaExceeded', 'You have exceeded your quota.');
		}
		this.uploadsLeft -= 1;
		return this.uploads.start(request, video);
	};
}
