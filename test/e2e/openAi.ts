import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { z } from 'zod';
import { LOOPBACK } from '../n8n/ports';

/** The key that n8n sends to the stand-in; it is checked by nobody. */
export const OPEN_AI_KEY = 'stand-in-key';

const messageSchema = z.object({
	role: z.string(),
	content: z.unknown(),
	tool_call_id: z.string().optional(),
});
const chatSchema = z.object({
	messages: z.array(messageSchema),
	tools: z
		.array(
			z.object({
				function: z.object({
					name: z.string(),
					description: z.string(),
					parameters: z.object({ properties: z.record(z.unknown()) }),
				}),
			}),
		)
		.default([]),
});
/** What the agent sends for one turn of the model. */
export type ChatRequest = z.infer<typeof chatSchema>;

/** What the model does in one turn: calls the agent's only tool, perhaps more than once, or talks. */
export type ModelTurn =
	| { calls: Array<Record<string, unknown>> }
	/** Gets what the tool answered so far, the last answer last. */
	| { says: (toolResults: string[]) => string };

/** A model that does what the test planned, over the part of OpenAI's interface that n8n uses. */
export interface OpenAiStandIn {
	/** What goes into the credential. */
	baseUrl: string;
	/** Every turn that was asked for. */
	requests: ChatRequest[];
	/** Plans the next conversation, turn by turn, and forgets the last one. */
	plan(turns: ModelTurn[]): void;
	close(): Promise<void>;
}

const asText = (content: unknown): string =>
	typeof content === 'string' ? content : JSON.stringify(content);

/** What the model got to read as the results of its calls. */
export const toolResultsIn = ({ messages }: ChatRequest): string[] =>
	messages.filter(({ role }) => role === 'tool').map(({ content }) => asText(content));

/** Starts the stand-in on this machine. */
export async function startOpenAi(): Promise<OpenAiStandIn> {
	const requests: ChatRequest[] = [];
	const turns: ModelTurn[] = [];

	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const chat = chatSchema.parse(JSON.parse(await bodyOf(request)));
		requests.push(chat);
		const turn = turns[requests.length - 1];
		if (turn === undefined) throw new Error('The model was asked for a turn that nobody planned');
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(completion(turn, chat, requests.length)));
	};

	const server = createServer((request, response) => {
		answer(request, response).catch((reason: unknown) => {
			// 400 is not tried again, so that the test sees it at once.
			response.writeHead(400, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ error: { message: String(reason) } }));
		});
	}).listen(0, LOOPBACK);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The model has no port');

	return {
		baseUrl: `http://${LOOPBACK}:${address.port}/v1`,
		requests,
		plan: (planned) => {
			requests.length = 0;
			turns.splice(0, turns.length, ...planned);
		},
		close: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	let text = '';
	request.setEncoding('utf8');
	for await (const chunk of request) text += String(chunk);
	return text;
}

function completion(turn: ModelTurn, chat: ChatRequest, turnNumber: number) {
	return {
		id: `chatcmpl-${turnNumber}`,
		object: 'chat.completion',
		created: 0,
		model: 'stand-in',
		choices: [
			{
				index: 0,
				message: { role: 'assistant', ...messageOf(turn, chat, turnNumber) },
				finish_reason: 'calls' in turn ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function messageOf(turn: ModelTurn, chat: ChatRequest, turnNumber: number) {
	if ('says' in turn) return { content: turn.says(toolResultsIn(chat)) };
	const tool = chat.tools[0]?.function.name;
	if (tool === undefined) throw new Error('The agent offered the model no tool');
	return {
		content: null,
		tool_calls: turn.calls.map((argumentsOfCall, index) => ({
			id: `call_${turnNumber}_${index}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(argumentsOfCall) },
		})),
	};
}
