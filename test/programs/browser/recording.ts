import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';

const run = promisify(execFile);

export interface GifSettings {
	width: number;
	framesPerSecond: number;
	/** Nothing moves for longer than this in the image, however long it took. */
	longestStillSeconds: number;
	/** How long the last frame stays. */
	lastSeconds: number;
}

/** What a page shows over time, frame by frame as the browser draws it. */
export class Recording {
	private readonly frames: Array<{ png: Buffer; seconds: number }> = [];

	private constructor(private readonly session: CDPSession) {}

	static async start(page: Page): Promise<Recording> {
		const session = await page.context().newCDPSession(page);
		const recording = new Recording(session);
		session.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
			recording.frames.push({
				png: Buffer.from(data, 'base64'),
				seconds: metadata.timestamp ?? 0,
			});
			void session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
		});
		await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
		return recording;
	}

	/** Ends the recording and writes it as an animated image, with ffmpeg. */
	async writeGif(file: string, settings: GifSettings): Promise<void> {
		await this.session.send('Page.stopScreencast');
		const folder = await mkdtemp(path.join(tmpdir(), 'videogen-recording-'));
		try {
			await Promise.all(
				this.frames.map(async ({ png }, index) => await writeFile(frameIn(folder, index), png)),
			);
			const list = path.join(folder, 'frames.txt');
			await writeFile(list, this.playlist(folder, settings));
			const { width, framesPerSecond, lastSeconds } = settings;
			const held = `tpad=stop_mode=clone:stop_duration=${lastSeconds}`;
			const scaled = `fps=${framesPerSecond},scale=${width}:-1:flags=lanczos,split[one][two]`;
			const colours = '[one]palettegen=stats_mode=full[palette]';
			const filter = `${held},${scaled};${colours};[two][palette]paletteuse=dither=bayer:bayer_scale=3:diff_mode=rectangle`;
			const input = ['-f', 'concat', '-safe', '0', '-i', list];
			await run('ffmpeg', ['-v', 'error', '-y', ...input, '-vf', filter, file]);
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	}

	/** Every frame with the time that it stays, in ffmpeg's own form. */
	private playlist(folder: string, { longestStillSeconds }: GifSettings): string {
		const lines = this.frames.flatMap(({ seconds }, index) => {
			const next = this.frames[index + 1]?.seconds ?? seconds;
			const stays = Math.min(next - seconds, longestStillSeconds);
			return [`file '${frameIn(folder, index)}'`, `duration ${stays.toFixed(3)}`];
		});
		return [...lines, ''].join('\n');
	}
}

const frameIn = (folder: string, index: number): string => path.join(folder, `${index}.png`);
