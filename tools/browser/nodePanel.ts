import type { Locator, Page } from 'playwright-core';
import { testId } from './testId';

/** What is used of the browser's video element. */
interface VideoElement {
	muted: boolean;
	readonly videoWidth: number;
	readonly duration: number;
	readonly currentTime: number;
	readonly error: unknown;
	play(): Promise<void>;
	addEventListener(event: 'timeupdate' | 'error', listener: () => void): void;
}

/** Runs in the browser: plays a video until it moves on; gives how far it got. */
export async function playVideo(video: VideoElement) {
	video.muted = true;
	const moved = new Promise<void>((resolve, reject) => {
		video.addEventListener('timeupdate', () => {
			if (video.currentTime > 0) resolve();
		});
		video.addEventListener('error', () => reject(video.error));
	});
	await video.play();
	await moved;
	return {
		width: video.videoWidth,
		durationSeconds: video.duration,
		currentSeconds: video.currentTime,
	};
}

/** The view of one node: its fields, the button that runs it, and what came out. */
export class NodePanel {
	private readonly parameters: Locator;
	private readonly output: Locator;

	constructor(private readonly page: Page) {
		this.parameters = page.locator(testId('node-parameters')).first();
		this.output = page.locator(testId('output-panel'));
	}

	async isOpen(): Promise<void> {
		await this.parameters.waitFor();
		await this.label('operation').waitFor();
	}

	/** Of all fields that are visible, from top to bottom. */
	async labels(): Promise<string[]> {
		const texts = await this.parameters.locator('label[for]:visible').allInnerTexts();
		// The first line; below it are the names of buttons.
		return texts.map((text) => text.split('\n')[0] ?? '');
	}

	/** What a collection offers to add, as a person reads it. */
	async addable(collection: string): Promise<string[]> {
		const item = this.parameters
			.locator(testId('parameter-item'))
			.filter({ has: this.label(collection) });
		const options = this.page.locator(`${testId('collection-parameter-option')}:visible`);
		const add = item.getByPlaceholder('Add option');
		await item.waitFor();
		// n8n shows no way to add where nothing can be added.
		if ((await add.count()) === 0) return [];
		await add.click();
		await options.first().waitFor();
		const names = await options.allInnerTexts();
		await this.page.keyboard.press('Escape');
		await options.first().waitFor({ state: 'hidden' });
		return names;
	}

	/** Types into a field and leaves it, or n8n's tip for it would stay over the next one. */
	async fill(field: string, value: string): Promise<void> {
		const input = this.input(field).locator('input, textarea');
		await input.fill(value);
		await input.blur();
	}

	async toggle(field: string): Promise<void> {
		await this.input(field).locator('.el-switch').click();
	}

	/** Waits until a field is there, or is there no longer. */
	async shows(field: string, isShown = true): Promise<void> {
		await this.label(field).waitFor({ state: isShown ? 'visible' : 'detached' });
	}

	/** *Execute step*, until the node has ended and the output panel has something to show. */
	async execute(): Promise<void> {
		const button = this.page.locator(testId('node-execute-button')).first();
		await button.click();
		await this.output.locator(testId('ndv-items-count')).waitFor();
		await button.getByText('Execute step').waitFor();
	}

	/** Waits until the output, looked at as JSON, has these texts. */
	async outputShows(texts: readonly string[]): Promise<void> {
		await this.output.locator(testId('radio-button-json')).click();
		const data = this.output.locator(testId('ndv-data-container'));
		for (const text of texts) await data.getByText(text).first().waitFor();
	}

	/** Waits until a hint with this text is beside the output. */
	async hints(text: string): Promise<void> {
		await this.output.getByText(text).first().waitFor();
	}

	/** One of several outputs, by the beginning of its name. */
	async openBranch(name: string): Promise<void> {
		await this.output.locator(testId('branches')).getByText(name).first().click();
	}

	/** What the output panel says when the node was stopped by an error. */
	async error(): Promise<{ message: string; description: string }> {
		return {
			message: await this.output.locator(testId('node-error-message')).innerText(),
			description: await this.output.locator(testId('node-error-description')).innerText(),
		};
	}

	/** Opens the file of the first item and plays it. */
	async playVideo() {
		await this.output.locator(testId('radio-button-binary')).click();
		await this.output.locator(testId('ndv-view-binary-data')).first().click();
		return await this.page.locator('video').evaluate(playVideo);
	}

	private label(field: string): Locator {
		return this.page.locator(`label[for="${field}"]`);
	}

	private input(field: string): Locator {
		return this.parameters.locator(testId(`parameter-input-${field}`));
	}
}
