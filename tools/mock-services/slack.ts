import { z } from 'zod';
import { json, jsonIn, Refusal, shaped, type PlayedHost, type PlayedRequest } from './http';

const MAX_SECTION_LENGTH = 3_000;
const TOKEN = 'xoxb-played';

const textSchema = z.object({ type: z.string(), text: z.string().max(MAX_SECTION_LENGTH) });
const buttonSchema = z.object({ text: textSchema, url: z.string().url().max(MAX_SECTION_LENGTH) });
const blockSchema = z.object({
	type: z.enum(['section', 'divider', 'actions']),
	text: textSchema.optional(),
	elements: z.array(buttonSchema).default([]),
});
const messageSchema = z.object({
	channel: z.string(),
	text: z.string().default(''),
	blocks: z.array(blockSchema).default([]),
});

/** A message in a channel, with the links of its buttons by their labels. */
export interface SlackMessage {
	channel: string;
	text: string;
	buttons: Record<string, string>;
}

const refused = (error: string): Refusal => new Refusal(json({ ok: false, error }), error);

/** Slack, at `slack.com`: posting messages. */
export class Slack {
	readonly channels = new Set<string>();
	messages: SlackMessage[] = [];
	/** The data of an n8n credential. */
	readonly credential = { accessToken: TOKEN };

	readonly host: PlayedHost = (request) => {
		const { method, url, headers } = request;
		if (headers.authorization !== `Bearer ${TOKEN}`) throw refused('invalid_auth');
		if (method !== 'POST' || url.pathname !== '/api/chat.postMessage') {
			throw refused('unknown_method');
		}
		const message = this.read(request);
		this.messages.push(message);
		const ts = `1764000000.${String(this.messages.length).padStart(6, '0')}`;
		return json({ ok: true, channel: message.channel, ts, message: { text: message.text, ts } });
	};

	private read(request: PlayedRequest): SlackMessage {
		const message = shaped(jsonIn(request), messageSchema, () => refused('invalid_blocks'));
		const { channel, text, blocks } = message;
		if (!this.channels.has(channel)) throw refused('channel_not_found');
		const texts = [text, ...blocks.map((block) => block.text?.text ?? '')];
		const said = texts.filter((one) => one.trim() !== '').join('\n');
		if (said === '') throw refused('no_text');
		const buttons = blocks.flatMap(({ elements }) => elements);
		return {
			channel,
			text: said,
			buttons: Object.fromEntries(buttons.map((button) => [button.text.text, button.url])),
		};
	}
}
