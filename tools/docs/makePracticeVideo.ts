/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes the video of a practice credential again: `npx tsx tools/docs/makePracticeVideo.ts`. It needs ffmpeg
 * with H.264 and the DejaVu fonts (Debian 12: `apt-get install ffmpeg fonts-dejavu-core`).
 */
const MODULE = join(__dirname, '../../nodes/Videogen/files/practiceVideo.ts');

const SECONDS = 3;
const FONTS = '/usr/share/fonts/truetype/dejavu';

/** A line of text in the middle of the image. */
const line = (text: string, font: string, size: number, colour: string, y: number): string =>
	`drawtext=fontfile=${FONTS}/${font}.ttf:text='${text}':fontsize=${size}:fontcolor=${colour}:x=(w-text_w)/2:y=${y}`;

/** Two texts, and under them a bar that fills while the video plays. */
const FILTER = [
	line('PRACTICE', 'DejaVuSans-Bold', 64, 'white', 70),
	line('No video was made, nothing was charged', 'DejaVuSans', 18, '0xc0c8d8', 160),
	'drawbox=x=40:y=220:w=400:h=8:color=0x3a4358:t=fill[image]',
]
	.join(',')
	.concat(
		`;color=c=0xff6d5a:s=400x8:r=10:d=${SECONDS}[bar]`,
		`;[image][bar]overlay=x='400*t/${SECONDS}-360':y=220:shortest=1`,
		',drawbox=x=0:y=220:w=40:h=8:color=0x1d2433:t=fill',
	);

const folder = mkdtempSync(join(tmpdir(), 'practice-'));
const file = join(folder, 'practice.mp4');
execFileSync('ffmpeg', [
	...['-hide_banner', '-loglevel', 'error', '-f', 'lavfi'],
	...['-i', `color=c=0x1d2433:s=480x270:r=10:d=${SECONDS}`, '-vf', FILTER],
	...['-c:v', 'libx264', '-profile:v', 'baseline', '-pix_fmt', 'yuv420p', '-preset', 'veryslow'],
	...['-crf', '30', '-g', '300', '-threads', '1', '-movflags', '+faststart'],
	// The same bytes each time.
	...['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', file],
]);
const bytes = readFileSync(file);
rmSync(folder, { recursive: true });

writeFileSync(
	MODULE,
	`/**
 * An MP4 of ${SECONDS} seconds that shows the word PRACTICE, as base64: n8n allows nodes to read no files.
 * \`tools/docs/makePracticeVideo.ts\` made it.
 */
export const PRACTICE_VIDEO =
	'${bytes.toString('base64')}';
`,
);
