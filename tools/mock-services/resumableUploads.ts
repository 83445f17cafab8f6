import { randomUUID } from 'node:crypto';
import { badRequest, notFound } from './google';
import type { PlayedAnswer, PlayedRequest } from './http';

/** Google's resumable uploads, as Drive and YouTube have them, of files that fit into one chunk. */
export class ResumableUploads<Metadata> {
	private readonly open = new Map<string, { metadata: Metadata; mimeType: string }>();

	/** Opens one; its address, with the ID in `upload_id`, is in the answer's `location`. */
	start(request: PlayedRequest, metadata: Metadata): PlayedAnswer {
		const mimeType = request.headers['x-upload-content-type'];
		if (typeof mimeType !== 'string') throw badRequest('X-Upload-Content-Type is missing');
		const id = randomUUID();
		this.open.set(id, { metadata, mimeType });
		const location = new URL(request.url);
		location.searchParams.set('upload_id', id);
		return { status: 200, headers: { location: location.href }, body: '' };
	}

	/** Takes all bytes at once, from whoever knows the ID. */
	finish({ url, headers, body }: PlayedRequest) {
		const id = url.searchParams.get('upload_id') ?? '';
		const upload = this.open.get(id);
		if (upload === undefined) throw notFound('There is no such upload');
		const { length } = body;
		if (headers['content-range'] !== `bytes 0-${length - 1}/${length}`) {
			throw badRequest('Not simulated: a chunk that is not the whole file');
		}
		this.open.delete(id);
		return { ...upload, bytes: body };
	}
}
