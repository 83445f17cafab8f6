import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Refusal } from './http';
import { resumableUploads, type Uploaded } from './resumableUploads';

const videoSchema = z.object({
	snippet: z.object({ title: z.string().min(1).max(100), description: z.string().default('') }),
	status: z.object({ privacyStatus: z.enum(['private', 'unlisted', 'public']) }),
});
type Metadata = z.infer<typeof videoSchema>;

/** A video of the channel. */
type ChannelVideo = { id: string } & Uploaded & Metadata['snippet'] & Metadata['status'];

/** YouTube's uploads, at `www.googleapis.com`. */
export class YouTube {
	videos: ChannelVideo[] = [];
	/** How many uploads the day still has; then comes the quota error. */
	uploadsLeft = Infinity;

	readonly routes = resumableUploads(
		'/upload/youtube/v3/videos',
		videoSchema,
		() => {
			if (this.uploadsLeft <= 0) throw new Refusal(403, 'You have exceeded your quota.');
			this.uploadsLeft -= 1;
		},
		({ snippet, status }, file) => {
			const id = randomBytes(8).toString('base64url');
			this.videos.push({ id, ...file, ...snippet, ...status });
			return { id, snippet, status };
		},
	);
}
