import type { IncomingHttpHeaders } from 'node:http';
import { type Reply, errorReply } from './replies';
import type { SimulatedTask } from './tasks';
import { CLIP_BYTES, videoBytes } from './video';

const VIDEO_TYPE = 'video/mp4';

/** First byte and the byte after the last. */
interface ByteRange {
	start: number;
	end: number;
}

/**
 * Reads a `Range` header for one range, in its three forms `a-b`, `a-` and `-n`. Anything else
 * counts as no range, as RFC 9110 (section 14.2) allows; a range outside the file is `outside`.
 */
function rangeOf(
	header: string | undefined,
	totalBytes: number,
): ByteRange | 'outside' | undefined {
	const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
	if (first === '' && last === '') return undefined;
	const start = first === '' ? Math.max(totalBytes - Number(last), 0) : Number(first);
	const end = first === '' || last === '' ? totalBytes : Math.min(Number(last) + 1, totalBytes);
	return start < end ? { start, end } : 'outside';
}

const videoReply = (
	status: number,
	totalBytes: number,
	{ start, end }: ByteRange,
	headers: Record<string, string>,
): Reply => ({
	status,
	headers: { 'content-type': VIDEO_TYPE, 'accept-ranges': 'bytes', ...headers },
	length: end - start,
	chunks: () => videoBytes(totalBytes, start, end),
});

/** The video of a completed task; 404 before that, as nothing has been made yet. */
export function resultReply(
	task: SimulatedTask | undefined,
	resultNumber: number,
	headers: IncomingHttpHeaders,
): Reply {
	if (task?.status() !== 'completed' || task.results()[resultNumber - 1] === undefined) {
		return errorReply(404, { message: 'There is no such result.' });
	}
	const totalBytes = task.plan.resultBytes ?? CLIP_BYTES;
	const range = rangeOf(headers.range, totalBytes);
	if (range === 'outside') {
		return errorReply(
			416,
			{ code: 'range_not_satisfiable', message: 'No such range.' },
			{
				'content-range': `bytes */${totalBytes}`,
			},
		);
	}
	if (range === undefined) return videoReply(200, totalBytes, { start: 0, end: totalBytes }, {});
	const contentRange = `bytes ${range.start}-${range.end - 1}/${totalBytes}`;
	return videoReply(206, totalBytes, range, { 'content-range': contentRange });
}
