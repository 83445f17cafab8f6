import { randomUUID } from 'node:crypto';
import { badRequest, notFound } from './googleAccount';
import type { PlayedAnswer, PlayedRequest } from './http';

/** `bytes 0-262143/1000000` */
const RANGE = /^bytes \d+-(\d+)\/(\d+)$/;

interface Upload<Metadata> {
	metadata: Metadata;
	mimeType: string;
	bytes: Buffer;
}

/** Google's resumable uploads, as Drive and YouTube have them. */
export class ResumableUploads<Metadata> {
	private readonly open = new Map<string, Upload<Metadata>>();

	/** Opens one; its address, with the ID in `upload_id`, is in the answer's `location`. */
	start(request: PlayedRequest, metadata: Metadata): PlayedAnswer {
		const mimeType = request.headers['x-upload-content-type'];
		if (mimeType === undefined) throw badRequest('X-Upload-Content-Type is missing');
		const id = randomUUID();
		this.open.set(id, { metadata, mimeType, bytes: Buffer.alloc(0) });
		const location = new URL(request.url);
		location.searchParams.set('upload_id', id);
		return { status: 200, headers: { location: location.href }, body: '' };
	}

	/** Takes a chunk; when it was the last, `done` makes the answer. Whoever knows the ID may. */
	receive(request: PlayedRequest, done: (upload: Upload<Metadata>) => PlayedAnswer): PlayedAnswer {
		const id = request.url.searchParams.get('upload_id') ?? '';
		const upload = this.open.get(id);
		if (upload === undefined) throw notFound('There is no such upload');
		upload.bytes = Buffer.concat([upload.bytes, request.body]);
		const { length } = upload.bytes;
		const [, last, total] = RANGE.exec(request.headers['content-range'] ?? '') ?? [];
		if (length !== Number(last) + 1) throw badRequest(`No chunk that ends at byte ${length}`);
		if (length < Number(total)) {
			return { status: 308, headers: { range: `bytes=0-${length - 1}` }, body: '' };
		}
		this.open.delete(id);
		return done(upload);
	}
}
