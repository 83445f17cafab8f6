import type { CompletedRequest } from 'mockttp';
import { z } from 'zod';
import type { Route } from './http';

const SECRET_HEADER = 'x-telegram-bot-api-secret-token';

const webhookSchema = z.object({ url: z.string().url(), secret_token: z.string().min(1) });
const fileSchema = z.object({ file_id: z.string() });
const messageSchema = z.object({
	chat_id: z.coerce.number(),
	text: z.string().min(1).max(4_096).optional(),
	caption: z.string().max(1_024).default(''),
	video: z.instanceof(Buffer).optional(),
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

/** One bot of Telegram, at `api.telegram.org`. */
export class Telegram {
	messages: BotMessage[] = [];
	/** Where n8n listens, once it has told. */
	webhook: z.infer<typeof webhookSchema> | undefined;
	private readonly photos = new Map<string, Buffer>();
	private updates = 0;

	/** Sends the bot a message, as Telegram does. */
	async say({ from, text, photo }: WrittenMessage): Promise<number> {
		if (this.webhook === undefined) throw new Error('Nobody listens to the bot');
		const { url, secret_token } = this.webhook;
		const update_id = ++this.updates;
		const name = `photos/file_${update_id}.jpg`;
		if (photo) this.photos.set(name, photo);
		const content = photo ? { caption: text, photo: [{ file_id: name }] } : { text };
		const person = { id: from, is_bot: false, first_name: 'Person' };
		const chat = { id: from, type: 'private' };
		const message = { message_id: update_id, date: 1_764_000_000, from: person, chat, ...content };
		const answer = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', [SECRET_HEADER]: secret_token },
			body: JSON.stringify({ update_id, message }),
		});
		await answer.body?.cancel();
		return answer.status;
	}

	readonly routes: Route[] = [
		[/^GET \/file\/bot[^/]+\/(.+)$/, (_, name) => ({ body: this.photos.get(name) })],
		[
			/^(?:GET|POST) \/bot[^/]+\/(\w+)$/,
			async (request, name) => {
				const call = this.calls[name];
				if (call === undefined) throw new Error(`Not played: ${name}`);
				return { json: { ok: true, result: call(await fieldsOf(request)) } };
			},
		],
	];

	private readonly calls: Readonly<Record<string, (fields: unknown) => unknown>> = {
		getMe: () => ({ id: 4242, is_bot: true, first_name: 'Videogen' }),
		getWebhookInfo: () => ({ url: this.webhook?.url ?? '' }),
		setWebhook: (fields) => (this.webhook = webhookSchema.parse(fields)),
		deleteWebhook: () => (this.webhook = undefined),
		getFile: (fields) => {
			const { file_id } = fileSchema.parse(fields);
			return { file_id, file_path: file_id };
		},
		sendMessage: (fields) => this.receive(fields),
		sendVideo: (fields) => this.receive(fields),
	};

	private receive(fields: unknown) {
		const { chat_id, text, caption, video } = messageSchema.parse(fields);
		this.messages.push({ chat: chat_id, text: text ?? caption, video });
		return { message_id: this.messages.length };
	}
}

/** Telegram takes JSON and forms alike. */
async function fieldsOf({ body, headers }: CompletedRequest): Promise<unknown> {
	if (!headers['content-type']?.startsWith('multipart/')) return await body.getJson();
	const parts = (await body.getMultipartFormData()) ?? [];
	const fields = parts.map(({ name, filename, data }) => [name, filename ? data : String(data)]);
	return Object.fromEntries(fields);
}
