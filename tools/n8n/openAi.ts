import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { sendJson, startHost, type Host } from './hosts';

const messageSchema = z.object({ role: z.string(), content: z.unknown() });
const chatSchema = z.object({
	/** Whether the answer is to come in pieces. */
	stream: z.boolean().default(false),
	messages: z.array(messageSchema),
	tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});
/** What the agent sends for one turn of the model. */
export type ChatRequest = z.infer<typeof chatSchema>;

/** What the model does in one turn: calls the agent's only tool, perhaps more than once, or talks. */
export type ModelTurn =
	| { calls: Array<Record<string, unknown>> }
	/** Is answered with an error. */
	| { breaks: string }
	/** Gets what the tool answered so far, the last answer last. */
	| { says: (toolResults: string[]) => string };

/** A model that does what the test planned, over the part of OpenAI's interface that n8n uses. */
export type OpenAiStandIn = Awaited<ReturnType<typeof startOpenAi>>;

/** What a message of a conversation says. */
export const asText = (content: unknown): string =>
	typeof content === 'string' ? content : JSON.stringify(content);

/** What the model got to read as the results of its calls. */
export const toolResultsIn = ({ messages }: ChatRequest): string[] =>
	messages.filter(({ role }) => role === 'tool').map(({ content }) => asText(content));

export async function startOpenAi() {
	/** Every turn that was asked for. */
	const requests: ChatRequest[] = [];
	const turns: ModelTurn[] = [];
	const host = await startChatModel((chat) => {
		requests.push(chat);
		const turn = turns[requests.length - 1];
		if (turn === undefined) throw new Error('The model was asked for a turn that nobody planned');
		return turn;
	});
	/** Plans the next conversation, turn by turn, and forgets the last one. */
	const plan = (planned: ModelTurn[]) => {
		requests.length = 0;
		turns.splice(0, turns.length, ...planned);
	};
	return { ...host, requests, plan };
}

/** Starts a model on this machine that does in each turn what it is told. */
export async function startChatModel(turnFor: (chat: ChatRequest) => ModelTurn): Promise<Host> {
	const answer = async (request: IncomingMessage) => {
		const chat = chatSchema.parse(JSON.parse(await text(request)));
		return { chat, completed: completion(turnFor(chat), chat, chat.messages.length) };
	};
	const { baseUrl, close } = await startHost((request, response) => {
		answer(request).then(
			({ chat, completed }) =>
				chat.stream ? sendPieces(response, completed) : sendJson(response, 200, completed),
			// 400 is not tried again, so that the test sees it at once.
			(reason) => sendJson(response, 400, { error: { message: String(reason) } }),
		);
	});
	return { baseUrl: `${baseUrl}/v1`, close };
}

/** The same as a stream of events; one piece holds all of it. */
function sendPieces(response: ServerResponse, completed: ReturnType<typeof completion>): void {
	const pieceOf = (delta: object, finish_reason: string | null) => ({
		...completed,
		object: 'chat.completion.chunk',
		choices: [{ index: 0, delta, finish_reason }],
	});
	const [choice] = completed.choices;
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const message = pieceOf({ ...choice?.message }, null);
	for (const piece of [message, pieceOf({}, choice?.finish_reason ?? null)]) {
		response.write(`data: ${JSON.stringify(piece)}\n\n`);
	}
	response.end('data: [DONE]\n\n');
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
	if ('breaks' in turn) throw new Error(turn.breaks);
	if ('says' in turn) return { content: turn.says(toolResultsIn(chat)) };
	const tool = chat.tools[0]?.function.name;
	if (tool === undefined) throw new Error('The agent offered the model no tool');
	return {
		content: null,
		tool_calls: turn.calls.map((argumentsOfCall, index) => ({
			index,
			id: `call_${turnNumber}_${index}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(argumentsOfCall) },
		})),
	};
}
