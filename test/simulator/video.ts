import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Two seconds of a moving gradient, made once with ffmpeg 5.1:
 *
 *   ffmpeg -f lavfi -i "gradients=size=480x270:rate=24:duration=2:nb_colors=4:c0=0x1b1464:\
 *   c1=0xea4b71:c2=0xff9f43:c3=0x00a8a8:x0=20:y0=0:x1=460:y1=270:speed=0.02:type=radial:seed=7" \
 *   -c:v libx264 -profile:v baseline -level 3.0 -pix_fmt yuv420p -crf 26 -preset veryslow -an \
 *   -map_metadata -1 -fflags +bitexact -flags:v +bitexact -movflags +faststart clip.mp4
 */
const CLIP = readFileSync(join(__dirname, 'assets', 'clip.mp4'));

/** Size of the video that the simulator serves when no other size is planned. */
export const CLIP_BYTES = CLIP.length;

const CHUNK_BYTES = 65_536;
const ZEROS = Buffer.alloc(CHUNK_BYTES);
const BOX_HEADER_BYTES = 8;
const LARGE_BOX_HEADER_BYTES = 16;
const MAX_SMALL_BOX_BYTES = 0xffff_ffff;
/** In place of a size: the size follows as a 64-bit number (ISO/IEC 14496-12, section 4.2). */
const LARGE_BOX_MARK = 1;

/** The clip as it is, or the clip with room for at least an empty box after it. */
export function assertResultBytes(totalBytes: number): void {
	const isPossible = totalBytes === CLIP_BYTES || totalBytes >= CLIP_BYTES + BOX_HEADER_BYTES;
	if (Number.isSafeInteger(totalBytes) && isPossible) return;
	const smallest = CLIP_BYTES + BOX_HEADER_BYTES;
	throw new RangeError(`resultBytes must be ${CLIP_BYTES}, or ${smallest} or more: ${totalBytes}`);
}

/** Head of a `free` box, which players skip: how a small clip becomes a valid file of any size. */
function freeBoxHead(boxBytes: number): Buffer {
	if (boxBytes <= MAX_SMALL_BOX_BYTES) {
		const head = Buffer.alloc(BOX_HEADER_BYTES);
		head.writeUInt32BE(boxBytes, 0);
		head.write('free', 4, 'latin1');
		return head;
	}
	const head = Buffer.alloc(LARGE_BOX_HEADER_BYTES);
	head.writeUInt32BE(LARGE_BOX_MARK, 0);
	head.write('free', 4, 'latin1');
	head.writeBigUInt64BE(BigInt(boxBytes), 8);
	return head;
}

/** The bytes from `start` up to but not including `end` of a video of `totalBytes`. */
export function* videoBytes(totalBytes: number, start: number, end: number): Generator<Buffer> {
	const padding = totalBytes - CLIP_BYTES;
	const head = padding > 0 ? Buffer.concat([CLIP, freeBoxHead(padding)]) : CLIP;
	let position = start;
	while (position < end) {
		const wanted = Math.min(end - position, CHUNK_BYTES);
		const chunk =
			position < head.length
				? head.subarray(position, Math.min(position + wanted, end))
				: ZEROS.subarray(0, wanted);
		yield chunk;
		position += chunk.length;
	}
}
