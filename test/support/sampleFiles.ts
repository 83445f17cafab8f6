import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PICTURE_PIXELS = 16;
const BITS_PER_SAMPLE = 8;
const TRUE_COLOUR = 2;

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly [number, number, number];

/** A PNG chunk: length, type, data, and a checksum over type and data. */
function pngChunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const checksum = Buffer.alloc(4);
	checksum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, checksum]);
}

/** A small picture in one colour: other colours give other bytes. */
export function samplePng(colour: Colour = [234, 75, 113]): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(PICTURE_PIXELS, 0);
	header.writeUInt32BE(PICTURE_PIXELS, 4);
	header.writeUInt8(BITS_PER_SAMPLE, 8);
	header.writeUInt8(TRUE_COLOUR, 9);
	const unfilteredRow = [0, ...Array.from({ length: PICTURE_PIXELS }, () => colour).flat()];
	const rows = Buffer.from(Array.from({ length: PICTURE_PIXELS }, () => unfilteredRow).flat());
	return Buffer.concat([
		PNG_SIGNATURE,
		pngChunk('IHDR', header),
		pngChunk('IDAT', deflateSync(rows)),
		pngChunk('IEND', Buffer.alloc(0)),
	]);
}

const SAMPLE_RATE_HZ = 8_000;
const WAV_HEADER_BYTES = 44;
const PCM = 1;

/** A short tone: mono, 8 bits a sample. Another pitch gives other bytes. */
export function sampleWav(pitchHz = 440, durationMs = 100): Buffer {
	const count = Math.round((SAMPLE_RATE_HZ * durationMs) / 1_000);
	const file = Buffer.alloc(WAV_HEADER_BYTES + count);
	file.write('RIFF', 0, 'latin1');
	file.writeUInt32LE(file.length - 8, 4);
	file.write('WAVEfmt ', 8, 'latin1');
	file.writeUInt32LE(16, 16);
	file.writeUInt16LE(PCM, 20);
	file.writeUInt16LE(1, 22);
	file.writeUInt32LE(SAMPLE_RATE_HZ, 24);
	file.writeUInt32LE(SAMPLE_RATE_HZ, 28);
	file.writeUInt16LE(1, 32);
	file.writeUInt16LE(BITS_PER_SAMPLE, 34);
	file.write('data', 36, 'latin1');
	file.writeUInt32LE(count, 40);
	for (let index = 0; index < count; index += 1) {
		const wave = Math.sin((2 * Math.PI * pitchHz * index) / SAMPLE_RATE_HZ);
		file.writeUInt8(Math.round(128 + 100 * wave), WAV_HEADER_BYTES + index);
	}
	return file;
}

/** The clip that the simulator serves as a result. */
export const sampleMp4 = (): Buffer =>
	readFileSync(join(__dirname, '../simulator/assets/clip.mp4'));

/** In hex, as the simulator reports what it fetched. */
export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
