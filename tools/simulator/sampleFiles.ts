/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
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

/** A tenth of a second of silence: mono, 8 bits a sample, 8,000 samples a second. */
export const sampleWav = (): Buffer =>
	Buffer.concat([
		Buffer.from('RIFF\x44\x03\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1'),
		Buffer.from('\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x20\x03\0\0', 'latin1'),
		Buffer.alloc(800, 128),
	]);

/**
 * Four seconds that say what they are, so that nobody takes them for a result: what the simulator
 * serves as one. Made once with ffmpeg 5.1: `color=c=0x1f2430:s=640x360:r=24:d=4` with the lines of
 * text by `drawtext` (DejaVu Sans Bold) and a moving bar by `drawbox`, `-c:v libx264 -profile:v
 * baseline -pix_fmt yuv420p -crf 30 -preset veryslow -map_metadata -1 -movflags +faststart`.
 */
const CLIP = readFileSync(join(__dirname, 'assets/clip.mp4'));
export const sampleMp4 = (): Buffer => CLIP;

/** In hex, as the simulator reports what it fetched. */
export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
