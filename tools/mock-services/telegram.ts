import { z } from 'zod';
import { json, jsonIn, Refusal, shaped, type PlayedHost, type PlayedRequest } from './http';

const TOKEN = '4242:played-token';
const SECRET_HEADER = 'x-telegram-bot-api-secret-token';

const webhookSchema = z.object({ url: z.string().url(), secret_token: z.string().min(1) });
const fileSchema = z.object({ file_id: z.string() });
const messageSchema = z.object({ chat_id: z.coerce.number(), text: z.string().min(1).max(4_096) });
const videoSchema = z.object({
	chat_id: z.coerce.number(),
	caption: z.string().max(1_024).optional(),
});

/** What the bot has sent into a chat. */
export interface BotMessage {
	chat: number;
	text: string;
	video?: Buffer;
}

/** A person who writes to the bot; the chat has the person's number. */
interface WrittenMessage {
	from: number;
	text?: string;
	/** A photo, whose caption the text is then. */
	photo?: Buffer;
}

const refused = (code: number, description: string): Refusal =>
	new Refusal(json({ ok: false, error_code: code, description }, code), description);

/** One bot of Telegram, at `api.telegram.org`. */
export class Telegram {
	messages: BotMessage[] = [];
	/** Who has ever written to the bot: it may not write to anybody else. */
	private readonly chats = new Set<number>();
	private readonly photos = new Map<string, Buffer>();
	private webhook: z.infer<typeof webhookSchema> | undefined;
	private updates = 0;
	/** The data of an n8n credential. */
	readonly credential = { accessToken: TOKEN, baseUrl: 'https://api.telegram.org' };

	/** Sends the bot a message, as Telegram does. */
	async say({ from, text, photo }: WrittenMessage): Promise<number> {
		const { webhook } = this;
		const updateId = ++this.updates;
		if (webhook === undefined) throw new Error('Nobody listens to the bot');
		this.chats.add(from);
		const name = `photos/file_${updateId}.jpg`;
		if (photo) this.photos.set(name, photo);
		const content = photo ? { caption: text, photo: [{ file_id: name }] } : { text };
		const person = { id: from, is_bot: false, first_name: 'Person' };
		const chat = { id: from, type: 'private' };
		const message = { message_id: updateId, date: 1_764_000_000, from: person, chat, ...content };
		const answer = await fetch(webhook.url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [SECRET_HEADER]: webhook.secret_token },
			body: JSON.stringify({ update_id: updateId, message }),
		});
		await answer.body?.cancel();
		return answer.status;
	}

	/** Whether n8n has told where it listens. */
	get isHeard(): boolean {
		return this.webhook !== undefined;
	}

	readonly host: PlayedHost = async (request) => {
		const [, kind, token, rest = ''] =
			/^\/(file\/)?bot([^/]+)\/(.*)$/.exec(decodeURIComponent(request.url.pathname)) ?? [];
		if (token !== TOKEN) throw refused(401, 'Unauthorized');
		if (kind !== undefined) return this.file(rest);
		return json({ ok: true, result: await this.call(rest, request) });
	};

	private file(name: string) {
		const body = this.photos.get(name);
		if (body === undefined) throw refused(404, 'Not Found');
		return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body };
	}

	private async call(name: string, request: PlayedRequest): Promise<unknown> {
		if (name === 'getMe') return { id: 4242, is_bot: true, first_name: 'Videogen' };
		if (name === 'getWebhookInfo') return { url: this.webhook?.url ?? '' };
		const given = await fieldsOf(request);
		if (name === 'getFile') {
			const { file_id } = parsed(fileSchema, given);
			return { file_id, file_path: file_id };
		}
		if (name === 'setWebhook') this.webhook = parsed(webhookSchema, given);
		else if (name === 'deleteWebhook') this.webhook = undefined;
		else if (name === 'sendMessage') {
			const { chat_id, text } = parsed(messageSchema, given);
			this.receive({ chat: chat_id, text });
		} else if (name === 'sendVideo') {
			const { chat_id, caption = '' } = parsed(videoSchema, given);
			if (!(given.video instanceof Blob)) throw refused(400, 'Bad Request: there is no video');
			const video = Buffer.from(await given.video.arrayBuffer());
			this.receive({ chat: chat_id, text: caption, video });
		} else throw refused(404, 'Not Found');
		return { message_id: this.messages.length };
	}

	private receive(message: BotMessage): void {
		if (!this.chats.has(message.chat)) throw refused(400, 'Bad Request: chat not found');
		this.messages.push(message);
	}
}

const parsed = <Shape extends z.ZodTypeAny>(shape: Shape, given: unknown): z.infer<Shape> =>
	shaped(given, shape, (message) => refused(400, `Bad Request: ${message}`));

/** Telegram takes JSON and forms alike. */
async function fieldsOf(request: PlayedRequest): Promise<Record<string, unknown>> {
	const type = request.headers['content-type'] ?? '';
	if (!type.startsWith('multipart/form-data')) return z.record(z.unknown()).parse(jsonIn(request));
	const sent = new Response(new Uint8Array(request.body), { headers: { 'content-type': type } });
	return Object.fromEntries(await sent.formData());
}
