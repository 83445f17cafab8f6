import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskPlan } from './plans';
import { type Reply, bodyReply } from './replies';

/**
 * Four seconds that say what they are, so that nobody takes them for a result. Made once with
 * ffmpeg 5.1: `color=c=0x1f2430:s=640x360:r=24:d=4` with the lines of text by `drawtext` (DejaVu Sans
 * Bold) and a moving bar by `drawbox`, `-c:v libx264 -profile:v baseline -pix_fmt yuv420p -crf 30
 * -preset veryslow -map_metadata -1 -movflags +faststart`.
 */
const CLIP = readFileSync(join(__dirname, 'assets', 'clip.mp4'));

/** Size of the video that the simulator serves when no other size is planned. */
export const CLIP_BYTES = CLIP.length;

const VIDEO_TYPE = 'video/mp4';
const ZEROS = Buffer.alloc(65_536);
/** The size, then the name: what a box of an MP4 begins with (ISO/IEC 14496-12, section 4.2). */
const BOX_HEADER_BYTES = 8;

/** What a test puts at a path with `serve`; left out, it is an empty file with status 200. */
export interface HostedFile {
	body?: string | Buffer;
	contentType?: string;
	headers?: Record<string, string>;
	status?: number;
}

export function hostedReply({ status = 200, body = '', contentType, headers }: HostedFile): Reply {
	const type = contentType ?? 'application/octet-stream';
	return bodyReply(status, { 'content-type': type, ...headers }, body);
}

type ResultPlan = Pick<TaskPlan, 'resultBody' | 'resultBytes' | 'resultType'>;

/** Throws for a size that no video can have: the clip's own, or with room for another box. */
export function assertResultSize({ resultBytes = CLIP_BYTES }: ResultPlan): void {
	const padding = resultBytes - CLIP_BYTES;
	if (padding === 0 || (padding >= BOX_HEADER_BYTES && padding <= 0xffff_ffff)) return;
	const smallest = CLIP_BYTES + BOX_HEADER_BYTES;
	throw new RangeError(`resultBytes must be ${CLIP_BYTES}, or ${smallest} or more: ${resultBytes}`);
}

/** The clip, then a `free` box that players skip: how it becomes a valid video of any size. */
function* videoChunks(padding: number): Generator<Buffer> {
	yield CLIP;
	if (padding === 0) return;
	const head = Buffer.alloc(BOX_HEADER_BYTES);
	head.writeUInt32BE(padding, 0);
	head.write('free', 4, 'latin1');
	yield head;
	for (let left = padding - head.length; left > 0; left -= ZEROS.length) {
		yield ZEROS.subarray(0, left);
	}
}

/** The file that each result of a task is: the planned body, otherwise the video. */
export function resultReply({
	resultBody,
	resultBytes = CLIP_BYTES,
	resultType,
}: ResultPlan): Reply {
	const headers = { 'content-type': resultType ?? VIDEO_TYPE };
	if (resultBody !== undefined) return bodyReply(200, headers, resultBody);
	const chunks = () => videoChunks(resultBytes - CLIP_BYTES);
	return { status: 200, headers, length: resultBytes, chunks };
}
