import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

/** An image; other numbers give other bytes, behind its end where readers ignore them. */
export const samplePng = (mark: readonly number[] = []): Buffer =>
	Buffer.concat([PIXEL, Buffer.from(mark)]);

const SAMPLE_RATE_HZ = 8_000;

/** A tenth of a second of a tone: mono, 8 bits a sample. Another pitch gives other bytes. */
export function sampleWav(pitchHz = 440): Buffer {
	const turn = (2 * Math.PI * pitchHz) / SAMPLE_RATE_HZ;
	const samples = Buffer.from(
		Array.from({ length: SAMPLE_RATE_HZ / 10 }, (_, n) => 128 + 100 * Math.sin(turn * n)),
	);
	const head = Buffer.from(
		'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\0\0\0\0',
		'latin1',
	);
	head.writeUInt32LE(36 + samples.length, 4);
	head.writeUInt32LE(samples.length, 40);
	return Buffer.concat([head, samples]);
}

/** The clip that the simulator serves as a result. */
export const sampleMp4 = (): Buffer =>
	readFileSync(join(__dirname, '../simulator/assets/clip.mp4'));

/** In hex, as the simulator reports what it fetched. */
export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
