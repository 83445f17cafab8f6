import type { IExecuteFunctions } from 'n8n-workflow';
import { onAbort } from './clock';

const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/**
 * The context with a different cancel signal. From 1.123 to 2.41, n8n aborts a request with a
 * credential by the context's signal and ignores a signal in the request's options.
 */
export const endedBy = <Context extends object>(end: AbortSignal, context: Context): Context =>
	new Proxy(context, {
		has: (target, name) => name === CANCEL_SIGNAL || Reflect.has(target, name),
		get: (target, name): unknown =>
			name === CANCEL_SIGNAL ? () => end : Reflect.get(target, name),
	});

/**
 * The execution's ID. Despite its type, `undefined` when n8n (1.123 to 2.41) serves an MCP client.
 */
export const executionIdOf = (
	context: Pick<IExecuteFunctions, 'getExecutionId'>,
): string | undefined => context.getExecutionId();

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

/**
 * Whether the node runs for a client of n8n's MCP Server Trigger. n8n then runs it outside of an
 * execution. In queue mode, 2.41.1 lets a worker run it in the trigger's execution, and only the
 * context knows which node a tool belongs to.
 */
export const isForMcpClient = (context: Pick<IExecuteFunctions, 'getExecutionId'>): boolean =>
	executionIdOf(context) === undefined ||
	Reflect.get(Object(Reflect.get(context, 'parentNode')), 'type') === MCP_TRIGGER;

/**
 * The run of the node, because loops run it many times. n8n (1.123 to 2.41) exposes it to
 * expressions.
 */
export function runIndexOf(
	context: Pick<IExecuteFunctions, 'getWorkflowDataProxy' | 'getNode'>,
): number {
	const index: unknown = context.getWorkflowDataProxy(0).$runIndex;
	return typeof index === 'number' ? index : 0;
}

/** What these checks need from n8n. */
type NodeContext = { getNode(): { type: string }; continueOnFail(): boolean };

/** Whether an agent runs the node as a tool: its type ends in `Tool` then (n8n 1.123 to 2.41). */
export const isTool = (context: NodeContext): boolean => context.getNode().type.endsWith('Tool');

/**
 * Whether an error is output as an item instead of stopping the node. For a tool it always is,
 * because the editor offers no On Error there: a thrown error ends the execution with agent 3 in
 * 1.123 and 2.0, and in 2.41 the model only reads its message.
 */
export const continuesOnError = (context: NodeContext): boolean =>
	context.continueOnFail() || isTool(context);

/** n8n wraps axios's errors, which wrap Node's. A longer chain is a loop. */
const MAX_CHAIN_LENGTH = 8;

/** Where wrappers keep the errors that they wrap. */
const LINKS = ['cause', 'error', 'errorResponse', 'errors'];

/** An error and those that it wraps, from the outside in. */
export function errorsIn(thrown: unknown, depth = 0): object[] {
	if (depth > MAX_CHAIN_LENGTH || typeof thrown !== 'object' || thrown === null) return [];
	// Of several addresses that cannot be reached, the first error will do.
	const inner = LINKS.map((link): unknown => [Reflect.get(thrown, link)].flat()[0]);
	return [thrown, ...inner.flatMap((error) => errorsIn(error, depth + 1))];
}

const textsAt = (error: object, names: string[]): string[] =>
	names
		.flatMap((name): unknown => Reflect.get(error, name))
		.filter((text) => typeof text === 'string');

/**
 * The system or library codes of an error, such as `ECONNRESET`. n8n 1.123 and 2.0 drop the cause
 * of an error that they wrap and keep its code only in place of the HTTP status; 2.41 keeps both.
 */
export const codesOf = (error: object): string[] => textsAt(error, ['code', 'httpCode']);

/**
 * What an error says about the system call that failed: `connect` or, in texts, `connect
 * ECONNREFUSED 127.0.0.1:443`. n8n 1.123 and 2.0 drop the call together with the cause. The text
 * survives in `messages` or, in 2.0 for a host with two addresses, only in `description`.
 */
export const textsOf = (error: object): string[] =>
	textsAt(error, ['syscall', 'message', 'messages', 'description']);

/** The name of an error's class, because nodes cannot import n8n's error classes. */
const nameOf = (error: object): string => error.constructor?.name ?? '';

/** Whether n8n blocks the address. 2.41 can be set to do so; 1.123 and 2.0 cannot. */
export const isBlockedByN8n = (error: object): boolean => nameOf(error).startsWith('Ssrf');

/** Whether a file is too large for n8n to store in its database, which it does from 1.123 on. */
export const isTooLargeForN8n = (error: object): boolean => nameOf(error) === 'FileTooLargeError';

/** Whether n8n's storage does not have the file (anymore), as n8n reports it from 1.123 on. */
export const isFileMissing = (error: object): boolean =>
	nameOf(error).endsWith('FileNotFoundError') || codesOf(error).includes('ENOENT');

type Helpers = IExecuteFunctions['helpers'];

/** A stream of bytes that n8n's storage accepts. */
export type ByteStream = Exclude<Parameters<Helpers['prepareBinaryData']>[0], Buffer>;

export const isByteStream = (value: unknown): value is ByteStream =>
	typeof value === 'object' && value !== null && 'pipe' in value && 'destroy' in value;

/**
 * The same stream, which closes when a signal aborts: at once if it already has.
 * @throws if it already has
 */
export function closedBy(end: AbortSignal, body: ByteStream): ByteStream {
	// Without a listener, an error would crash all of n8n.
	body.on('error', () => undefined);
	if (end.aborted) body.destroy();
	end.throwIfAborted();
	return body.once(
		'close',
		onAbort(end, () => body.destroy()),
	);
}

/** n8n decides this when it starts, so one probe file that it could store is enough. */
let isOnDisk: boolean | undefined;

/** Whether n8n stores files on disk. It does not tell nodes, but the ID of a file starts with it. */
export async function storesOnDisk(helpers: Pick<Helpers, 'prepareBinaryData'>): Promise<boolean> {
	isOnDisk ??= await helpers.prepareBinaryData(Buffer.from('?'), 'size.txt', 'text/plain').then(
		({ id = '' }) => id.startsWith('filesystem'),
		() => undefined,
	);
	return isOnDisk ?? true;
}

/**
 * The part of an ID that stays when n8n moves the file to another folder, as every version does.
 */
export const lastingIdOf = (id: string): string => id.split(/[/:]/).at(-1) ?? id;
