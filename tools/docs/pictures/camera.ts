/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';
import { VIEW } from '../../browser/editor';
import { FOLDER, knownLabels } from './labels';

/** Messages that come and go would be in some pictures and not in others. */
const STYLE = '.el-notification, .el-tooltip__popper { display: none !important }';
/** Wide workflows are readable on it. */
export const WIDE_VIEW = { width: 2400, height: 1400 };

/** The workflow alone, without what n8n lays around and over it. */
const BARE_CANVAS =
	'html, body { background: white !important } body { visibility: hidden } .vue-flow__transformationpane { visibility: visible }';
const MARGIN = 16;
const GIF_WIDTH = 960;
const PALETTE = { palette: true, colours: 128 } as const;
const HOW = { animations: 'disabled', style: STYLE } as const;

/** By file, the labels of the node and its credential that a picture shows. */
export type Shown = Record<string, string[]>;

/** Takes pictures of a page for the documents, and notes what they show. */
export class Camera {
	readonly shown: Shown = {};
	private readonly known = knownLabels();
	private frames: Array<{ png: Buffer; showMs: number }> = [];
	private seen = new Set<string>();

	constructor(private readonly page: Page) {}

	/** The whole page, its upper part, or an element. */
	async take(name: string, { part, heightPx }: { part?: Locator; heightPx?: number } = {}) {
		const clip = heightPx && { x: 0, y: 0, width: VIEW.width, height: heightPx };
		const png = part
			? await part.screenshot(HOW)
			: await this.page.screenshot({ ...HOW, ...(clip && { clip }) });
		await this.keep(`${name}.png`, sharp(png).png(PALETTE), await this.labels(part));
	}

	/** The workflow on the canvas, without anything around it. */
	async takeCanvas(name: string): Promise<void> {
		const png = await this.page.screenshot({ ...HOW, style: `${STYLE} ${BARE_CANVAS}` });
		const border = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN };
		const trimmed = sharp(await sharp(png).trim().toBuffer());
		const framed = trimmed.extend({ ...border, background: 'white' }).png(PALETTE);
		await this.keep(`${name}.png`, framed, await this.labels());
	}

	/** One picture of an animation, and how long it is shown. */
	async frame(showMs: number): Promise<void> {
		this.frames.push({ png: await this.page.screenshot(HOW), showMs });
		for (const label of await this.labels()) this.seen.add(label);
	}

	/** Makes an animation of all frames since the last one. */
	async animate(name: string): Promise<void> {
		const small = this.frames.map(({ png }) => sharp(png).resize(GIF_WIDTH).png().toBuffer());
		const gif = sharp(await Promise.all(small), { join: { animated: true } });
		const delay = this.frames.map(({ showMs }) => showMs);
		const animated = gif.gif({ delay, loop: 0, colours: PALETTE.colours });
		await this.keep(`${name}.gif`, animated, [...this.seen].sort());
		this.frames = [];
		this.seen.clear();
	}

	/** Texts that stand by themselves, and what is chosen in lists. */
	private async labels(part = this.page.locator('body')): Promise<string[]> {
		const text = await part.innerText();
		const inputs = part.locator('input:visible');
		const values = await inputs.evaluateAll((all: Array<{ value: string }>) =>
			all.map(({ value }) => value),
		);
		const texts = new Set([...text.split('\n').map((line) => line.trim()), ...values]);
		return [...this.known].filter((label) => texts.has(label)).sort();
	}

	private async keep(file: string, image: Sharp, labels: string[]): Promise<void> {
		const target = path.join(FOLDER, file);
		await mkdir(path.dirname(target), { recursive: true });
		await image.toFile(target);
		this.shown[file] = labels;
	}
}
