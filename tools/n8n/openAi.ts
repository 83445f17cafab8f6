/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { json } from 'node:stream/consumers';
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
	const { baseUrl, close } = await startHost(async (request, response) => {
		const chat = chatSchema.parse(await json(request));
		const [message, finish_reason] = messageOf(turnFor(chat), chat);
		const completion = { id: `chatcmpl-${chat.messages.length}`, usage: USAGE };
		const choice = { index: 0, finish_reason };
		if (!chat.stream) {
			return sendJson(response, 200, { ...completion, choices: [{ ...choice, message }] });
		}
		// The same as a stream of events; one piece holds all of it.
		const piece = { ...completion, choices: [{ ...choice, delta: message }] };
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		response.end(`data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`);
	});
	return { baseUrl: `${baseUrl}/v1`, close };
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** What the model says or calls, and why it says no more. */
function messageOf(turn: ModelTurn, chat: ChatRequest): [message: object, finishReason: string] {
	const role = 'assistant';
	if ('breaks' in turn) throw new Error(turn.breaks);
	if ('says' in turn) return [{ role, content: turn.says(toolResultsIn(chat)) }, 'stop'];
	const name = chat.tools[0]?.function.name;
	if (name === undefined) throw new Error('The agent offered the model no tool');
	const tool_calls = turn.calls.map((argumentsOfCall, index) => ({
		...{ index, id: `call_${chat.messages.length}_${index}`, type: 'function' },
		function: { name, arguments: JSON.stringify(argumentsOfCall) },
	}));
	return [{ role, content: null, tool_calls }, 'tool_calls'];
}
