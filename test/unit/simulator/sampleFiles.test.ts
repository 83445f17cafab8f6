import { createHash } from 'node:crypto';
import { crc32, inflateSync } from 'node:zlib';
import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../support/sampleFiles';

/** Type and data of each chunk; fails when a checksum is wrong. */
function pngChunks(png: Buffer): Map<string, Buffer> {
	const chunks = new Map<string, Buffer>();
	let position = 8;
	while (position < png.length) {
		const end = position + 8 + png.readUInt32BE(position);
		expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(position + 4, end)));
		const type = png.toString('latin1', position + 4, position + 8);
		chunks.set(type, png.subarray(position + 8, end));
		position = end + 4;
	}
	return chunks;
}

test('the picture is a PNG of 16 × 16 pixels in its colour', () => {
	const png = samplePng([1, 2, 3]);
	expect(png.toString('latin1', 0, 8)).toBe('\x89PNG\r\n\x1a\n');
	const chunks = pngChunks(png);
	expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
	expect([chunks.get('IHDR')?.readUInt32BE(0), chunks.get('IHDR')?.readUInt32BE(4)]).toEqual([
		16, 16,
	]);
	const rows = inflateSync(chunks.get('IDAT') ?? '');
	expect(rows).toHaveLength(16 * (1 + 16 * 3));
	expect([...rows.subarray(0, 7)]).toEqual([0, 1, 2, 3, 1, 2, 3]);
	expect(png.equals(samplePng([1, 2, 4]))).toBe(false);
});

test('the sound is a WAV whose sizes add up', () => {
	const wav = sampleWav(440, 250);
	expect(wav.toString('latin1', 0, 4)).toBe('RIFF');
	expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
	expect(wav.toString('latin1', 8, 16)).toBe('WAVEfmt ');
	expect(wav.readUInt32LE(24)).toBe(8_000);
	expect(wav.toString('latin1', 36, 40)).toBe('data');
	expect(wav.readUInt32LE(40)).toBe(2_000);
	expect(wav).toHaveLength(2_044);
	expect(wav.equals(sampleWav(441, 250))).toBe(false);
});

test('the video is the one that the simulator serves', () => {
	expect(sampleMp4().toString('latin1', 4, 8)).toBe('ftyp');
	expect(sha256Of(sampleMp4())).toBe(createHash('sha256').update(sampleMp4()).digest('hex'));
});
