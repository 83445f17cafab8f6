import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { Refusal, bodyOf, type Route } from './http';

/** What was uploaded. */
export interface Uploaded {
	mimeType: string;
	bytes: Buffer;
}

/**
 * Google's resumable uploads, as Drive and YouTube have them, of files that fit into one chunk.
 * @param begin Refuses what the true service would not take.
 * @param finish Keeps the file; gives its record.
 */
export function resumableUploads<Shape extends z.ZodTypeAny>(
	path: string,
	shape: Shape,
	begin: (metadata: z.infer<Shape>) => void,
	finish: (metadata: z.infer<Shape>, file: Uploaded) => object,
): Route[] {
	const open = new Map<string, { metadata: z.infer<Shape>; mimeType: string }>();
	return [
		[
			new RegExp(`^POST ${path}$`),
			async (request) => {
				const metadata = await bodyOf(request, shape);
				begin(metadata);
				const id = randomUUID();
				open.set(id, { metadata, mimeType: String(request.headers['x-upload-content-type']) });
				return { headers: { location: `${request.url}&upload_id=${id}` } };
			},
		],
		[
			new RegExp(`^PUT ${path}$`),
			({ url, headers, body }) => {
				const upload = open.get(new URL(url).searchParams.get('upload_id') ?? '');
				const bytes = body.buffer;
				const range = `bytes 0-${bytes.length - 1}/${bytes.length}`;
				if (upload === undefined || headers['content-range'] !== range) {
					throw new Refusal(400, 'Not played: a chunk that is not the whole file of an upload');
				}
				return { json: finish(upload.metadata, { mimeType: upload.mimeType, bytes }) };
			},
		],
	];
}
