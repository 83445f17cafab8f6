import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { badRequest, googleError, type GoogleAccount } from './googleAccount';
import { json, jsonBody, Refusal, type PlayedFile, type PlayedHost } from './http';
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

	constructor(private readonly account: GoogleAccount) {}

	readonly host: PlayedHost = (request) => {
		const { method, url } = request;
		if (url.pathname !== '/upload/youtube/v3/videos') throw badRequest('Not played');
		if (method === 'PUT') {
			return this.uploads.receive(request, ({ metadata: { snippet, status }, ...file }) => {
				const id = randomBytes(8).toString('base64url');
				const { title, description = '' } = snippet;
				this.videos.push({ id, ...file, title, description, ...status });
				return json({ kind: 'youtube#video', id, snippet, status });
			});
		}
		const refusal = this.account.refusalOf(request);
		if (refusal) return refusal;
		const video = jsonBody(request, videoSchema, badRequest);
		if (this.uploadsLeft <= 0) {
			const message = 'The request cannot be completed because you have exceeded your quota.';
			throw new Refusal(googleError(403, 'quotaExceeded', message), message);
		}
		this.uploadsLeft -= 1;
		return this.uploads.start(request, video);
	};
}
