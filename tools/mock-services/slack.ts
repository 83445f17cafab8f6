import { z } from 'zod';
import { bodyOf, type Route } from './http';

const MAX_SECTION_LENGTH = 3_000;

const textSchema = z.object({ text: z.string().max(MAX_SECTION_LENGTH) });
const buttonSchema = z.object({ text: textSchema, url: z.string().url().max(MAX_SECTION_LENGTH) });
const blockSchema = z.object({
	text: textSchema.optional(),
	elements: z.array(buttonSchema).default([]),
});
const messageSchema = z.object({
	channel: z.string(),
	text: z.string().default(''),
	blocks: z.array(blockSchema).default([]),
});

/** A message in a channel, with the links of its buttons by their labels. */
interface SlackMessage {
	channel: string;
	text: string;
	buttons: Record<string, string>;
}

/** Slack, at `slack.com`: posting messages. */
export class Slack {
	messages: SlackMessage[] = [];

	readonly routes: Route[] = [
		[
			/^POST \/api\/chat\.postMessage$/,
			async (request) => {
				const { channel, text, blocks } = await bodyOf(request, messageSchema);
				const said = [text, ...blocks.map((block) => block.text?.text ?? '')].join('\n').trim();
				const elements = blocks.flatMap((block) => block.elements);
				const buttons = Object.fromEntries(elements.map((one) => [one.text.text, one.url]));
				this.messages.push({ channel, text: said, buttons });
				const ts = `1764000000.${this.messages.length}`;
				return { json: { ok: true, channel, ts, message: { text: said, ts } } };
			},
		],
	];
}
