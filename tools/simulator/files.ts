/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
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

export function hostedReply(file: HostedFile): Reply {
	const { status = 200, body = '', contentType = 'application/octet-stream', headers } = file;
	return bodyReply(status, { 'content-type': contentType, ...headers }, body);
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
export function resultReply(plan: TaskPlan): Reply {
	const { resultBody, resultBytes = CLIP.length } = plan;
	const headers = { 'content-type': 'video/mp4' };
	if (resultBody !== undefined) return bodyReply(200, headers, resultBody);
	const chunks = () => videoChunks(resultBytes - CLIP.length);
	return { status: 200, headers, length: resultBytes, chunks };
}
