import { randomUUID } from 'node:crypto';
import { badRequest, notFound } from './googleAccount';
import type { PlayedAnswer, PlayedRequest } from './http';

/** Google takes chunks in multiples of this many bytes, the last one aside. */
const CHUNK_UNIT = 256 * 1024;
const RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/;

interface Upload<Metadata> {
	metadata: Metadata;
	mimeType: string;
	chunks: Buffer[];
	received: number;
}

/** Google's resumable uploads, as Drive and YouTube have them. */
export class ResumableUploads<Metadata> {
	private readonly open = new Map<string, Upload<Metadata>>();

	/** Opens one; its address, with the ID in `upload_id`, is in the answer's `location`. */
	start(request: PlayedRequest, metadata: Metadata): PlayedAnswer {
		const mimeType = request.headers['x-upload-content-type'];
		if (mimeType === undefined) throw badRequest('X-Upload-Content-Type is missing');
		const id = randomUUID();
		this.open.set(id, { metadata, mimeType, chunks: [], received: 0 });
		const location = new URL(request.url);
		location.searchParams.set('upload_id', id);
		return { status: 200, headers: { location: location.href }, body: '' };
	}

	/** Takes a chunk; when it was the last, `done` makes the answer. Whoever knows the ID may. */
	receive(
		request: PlayedRequest,
		done: (upload: { metadata: Metadata; mimeType: string; bytes: Buffer }) => PlayedAnswer,
	): PlayedAnswer {
		const id = request.url.searchParams.get('upload_id') ?? '';
		const upload = this.open.get(id);
		if (upload === undefined) throw notFound('There is no such upload');
		const [, from, to, total] = (RANGE.exec(request.headers['content-range'] ?? '') ?? []).map(
			Number,
		);
		if (from === undefined || to === undefined || total === undefined) {
			throw badRequest('Content-Range is missing');
		}
		const { length } = request.body;
		if (from !== upload.received || to - from + 1 !== length) {
			throw badRequest(`The chunk does not follow byte ${upload.received}`);
		}
		upload.chunks.push(request.body);
		upload.received += length;
		if (upload.received < total) {
			if (length % CHUNK_UNIT !== 0) throw badRequest('A chunk must have a multiple of 256 KiB');
			return { status: 308, headers: { range: `bytes=0-${upload.received - 1}` }, body: '' };
		}
		this.open.delete(id);
		return done({ ...upload, bytes: Buffer.concat(upload.chunks) });
	}
}
