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

/** The clip that the simulator serves as a result. */
export const sampleMp4 = (): Buffer => readFileSync(join(__dirname, 'assets/clip.mp4'));

/** In hex, as the simulator reports what it fetched. */
export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
