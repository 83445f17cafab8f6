import type { IncomingHttpHeaders } from 'node:http';
import { type Reply, errorReply } from './replies';
import { type ResultFile, resultFileOf } from './resultFile';
import type { Target } from './routes';
import type { SimulatedTask } from './tasks';

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

const fileReply = (
	status: number,
	file: ResultFile,
	{ start, end }: ByteRange,
	headers: Record<string, string>,
): Reply => ({
	status,
	headers: { 'content-type': file.contentType, 'accept-ranges': 'bytes', ...headers },
	length: end - start,
	chunks: () => file.bytes(start, end),
});

/** Results are found only under the very address that the task lists. */
const hasResult = (task: SimulatedTask, { resultNumber = 0, resultName }: Target): boolean =>
	task.status() === 'completed' &&
	task.results()[resultNumber - 1] !== undefined &&
	task.plan.resultNames?.[resultNumber - 1] === resultName;

/** A file of a completed task; 404 before that, as nothing has been made yet. */
export function resultReply(
	task: SimulatedTask | undefined,
	target: Target,
	headers: IncomingHttpHeaders,
): Reply {
	if (task === undefined || !hasResult(task, target)) {
		return errorReply(404, { message: 'There is no such result.' });
	}
	const file = resultFileOf(task.plan);
	const { totalBytes } = file;
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
	if (range === undefined) return fileReply(200, file, { start: 0, end: totalBytes }, {});
	const contentRange = `bytes ${range.start}-${range.end - 1}/${totalBytes}`;
	return fileReply(206, file, range, { 'content-range': contentRange });
}
