import type { TaskPlan } from './plans';
import { CLIP_BYTES, videoBytes } from './video';

const VIDEO_TYPE = 'video/mp4';

/** A file that a completed task offers, made while it is sent. */
export interface ResultFile {
	contentType: string;
	totalBytes: number;
	/** The bytes from `start` up to but not including `end`. */
	bytes: (start: number, end: number) => Iterable<Buffer>;
}

type ResultPlan = Pick<TaskPlan, 'resultBody' | 'resultBytes' | 'resultType'>;

/** The file that each result of a task is: the planned body, otherwise the video. */
export function resultFileOf({ resultBody, resultBytes, resultType }: ResultPlan): ResultFile {
	const contentType = resultType ?? VIDEO_TYPE;
	if (resultBody === undefined) {
		const totalBytes = resultBytes ?? CLIP_BYTES;
		const bytes = (start: number, end: number) => videoBytes(totalBytes, start, end);
		return { contentType, totalBytes, bytes };
	}
	const body = Buffer.from(resultBody);
	const bytes = (start: number, end: number) => (start < end ? [body.subarray(start, end)] : []);
	return { contentType, totalBytes: body.length, bytes };
}
