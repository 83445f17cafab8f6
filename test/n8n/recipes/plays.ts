import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { setFieldsOf, readExample } from '../../../tools/n8n/examples';
import type { SimulatedTask } from '../../../tools/simulator';
import type { Fixtures } from './fixtures';

export const AGENT = 'ai-agent-tool.json';
export const APPROVE = 'approve-then-final.json';
export const BOT = 'telegram-bot.json';
export const CLAUDE = 'videos-from-claude.json';
export const DAILY = 'daily-videos.json';
export const FORM = 'form-to-video.json';
export const IMAGES = 'images-and-references.json';
export const QUEUE = 'content-queue.json';
export const SHEET = 'sheet-to-drive.json';
export const STORY = 'story-in-scenes.json';
export const SURVIVING = 'videos-that-survive-restarts.json';
export const YOUTUBE = 'sheet-to-youtube-and-slack.json';

/** Where Claude's recipe takes a wish. */
export const WISH = 'Receive Request';

/** What n8n's chat sends when a person writes there. */
export const chatMessage = (chatInput: string) => ({
	sessionId: 'a-chat',
	action: 'sendMessage',
	chatInput,
});

/** What one recipe does, from its trigger to its end, or what a mistake with it costs. */
export interface Play {
	recipe: string;
	/** What is shown, as the end of a sentence that begins with the recipe. */
	shows: string;
	play: (fixtures: Fixtures, browser: Browser) => Promise<void>;
}

/** Plays of one recipe, each by what it shows. */
export const playsOf = (recipe: string, plays: Readonly<Record<string, Play['play']>>): Play[] =>
	Object.entries(plays).map(([shows, play]) => ({ recipe, shows, play }));

/** How the node names a video: whole words of the prompt, if it has created it, and the end of the ID. */
export function videoNameOf(task: SimulatedTask | undefined, isCreatedThere = true): string {
	const words = isCreatedThere ? (task?.prompt?.toLowerCase().match(/[a-z\d]+/g) ?? []) : ['video'];
	const fits = (_: string, last: number) => words.slice(0, last + 1).join('-').length <= 30;
	return `${words.filter(fits).join('-')}-${task?.id.slice(-4)}.mp4`;
}

/** The prompts that a recipe comes with, three of them. */
export function promptsOf(file: string, field = 'prompts'): [string, string, string] {
	const [, list = ''] =
		setFieldsOf(readExample(file), 'Settings').find(([name]) => name === field) ?? [];
	return z.tuple([z.string(), z.string(), z.string()]).parse(JSON.parse(list));
}
