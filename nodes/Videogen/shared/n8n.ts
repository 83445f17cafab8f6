import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/**
 * The context with another cancel signal. From 1.123 to 2.41, n8n ends a request with a credential by
 * the signal of the context, and ignores one in the request's options.
 */
export const endedBy = <Context extends object>(end: AbortSignal, context: Context): Context =>
	new Proxy(context, {
		has: (target, name) => name === CANCEL_SIGNAL || Reflect.has(target, name),
		get: (target, name): unknown =>
			name === CANCEL_SIGNAL ? () => end : Reflect.get(target, name),
	});

/** The execution's ID; `undefined`, against its type, where n8n (1.123 to 2.41) serves an MCP client. */
export const executionIdOf = (
	context: Pick<IExecuteFunctions, 'getExecutionId'>,
): string | undefined => context.getExecutionId();

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

/**
 * Whether the node runs for a client of n8n's MCP Server Trigger. n8n runs it in no execution then; in
 * queue mode, 2.41.1 lets a worker run it in the execution of the trigger, and only the context knows
 * which node a tool belongs to.
 */
export const isForMcpClient = (context: Pick<IExecuteFunctions, 'getExecutionId'>): boolean =>
	executionIdOf(context) === undefined ||
	Reflect.get(Object(Reflect.get(context, 'parentNode')), 'type') === MCP_TRIGGER;

/**
 * Whether n8n may run the node again by itself: with Retry On Fail, it does when the first item of the
 * output has an error; in 1.123 and 2.0 also when that error is null.
 */
export const mayRunAgain = (
	context: Pick<IExecuteFunctions, 'getNode'>,
	[first]: INodeExecutionData[],
): boolean => context.getNode().retryOnFail === true && first?.json.error !== undefined;

/** Which run of the node this is: loops run it many times. n8n (1.123 to 2.41) tells it to expressions. */
export function runIndexOf(
	context: Pick<IExecuteFunctions, 'getWorkflowDataProxy' | 'getNode'>,
): number {
	const index: unknown = context.getWorkflowDataProxy(0).$runIndex;
	return typeof index === 'number' ? index : 0;
}

/** What this needs of n8n. */
type NodeContext = { getNode(): { type: string }; continueOnFail(): boolean };

/** Whether an agent runs the node as a tool: n8n (1.123 to 2.41) gives it a type of this name. */
export const isTool = (context: NodeContext): boolean => context.getNode().type.endsWith('Tool');

/**
 * Whether an error goes out as an item instead of stopping the node. For a tool it always does, as the
 * editor offers no On Error there: an error that is thrown ends the execution with agent 3 in 1.123
 * and 2.0, and in 2.41 the model reads no more than its message.
 */
export const continuesOnError = (context: NodeContext): boolean =>
	context.continueOnFail() || isTool(context);

/** n8n wraps axios's errors, which wrap Node's. What is longer than this is a loop. */
const MAX_CHAIN_LENGTH = 8;

/** Where wrappers keep what they wrapped. */
const LINKS = ['cause', 'error', 'errorResponse', 'errors'];

/** The first value that `find` gives for an error or for one that it wraps. */
export function findInErrors<T>(
	thrown: unknown,
	find: (error: object) => T | undefined,
	depth = 0,
): T | undefined {
	if (depth > MAX_CHAIN_LENGTH || typeof thrown !== 'object' || thrown === null) return undefined;
	const own = find(thrown);
	if (own !== undefined) return own;
	for (const link of LINKS) {
		const inner: unknown = Reflect.get(thrown, link);
		const found = findInErrors(Array.isArray(inner) ? inner[0] : inner, find, depth + 1);
		if (found !== undefined) return found;
	}
	return undefined;
}

const textsAt = (error: object, names: string[]): string[] =>
	names
		.flatMap((name): unknown => Reflect.get(error, name))
		.filter((text) => typeof text === 'string');

/**
 * The system's or library's codes of an error, such as `ECONNRESET`. n8n 1.123 and 2.0 drop the
 * cause of what they wrap, and leave its code only where an HTTP status would be; 2.41 keeps both.
 */
export const codesOf = (error: object): string[] => textsAt(error, ['code', 'httpCode']);

/**
 * What an error says of the system's call that failed: `connect`, and in texts `connect ECONNREFUSED
 * 127.0.0.1:443`. n8n 1.123 and 2.0 drop the call with the cause. The text survives in `messages`,
 * and for a host with two addresses, in 2.0, only in `description`.
 */
export const textsOf = (error: object): string[] =>
	textsAt(error, ['syscall', 'message', 'messages', 'description']);

/** The name of an error's class, because nodes cannot import the classes of n8n's errors. */
const nameOf = (error: object): string => error.constructor?.name ?? '';

/** Whether n8n blocks the address, which 2.41 can be set to do; 1.123 and 2.0 cannot. */
export const isBlockedByN8n = (error: object): boolean => nameOf(error).startsWith('Ssrf');

/** Whether a file is larger than what n8n, from 1.123 on, stores in its database. */
export const isTooLargeForN8n = (error: object): boolean => nameOf(error) === 'FileTooLargeError';

/** Whether n8n's storage has no such file (any more), as n8n says it from 1.123 on. */
export const isFileMissing = (error: object): true | undefined =>
	nameOf(error).endsWith('FileNotFoundError') || codesOf(error).includes('ENOENT') || undefined;

type Helpers = IExecuteFunctions['helpers'];

/** A stream of bytes, of the type that n8n's storage accepts. */
export type ByteStream = Exclude<Parameters<Helpers['prepareBinaryData']>[0], Buffer>;

export const isByteStream = (value: unknown): value is ByteStream =>
	typeof value === 'object' && value !== null && 'pipe' in value && 'destroy' in value;

/** Where n8n keeps files; a bucket is S3 or the like, to which n8n sends each file as a whole. */
export type Storage = 'memory' | 'database' | 'bucket' | 'disk';

/** What n8n is set to when it starts; known after the first file that it could store for this. */
let known: Storage | undefined;

/** Where n8n keeps files. It tells no node, but the ID of a file begins with the place. */
export async function storageOf(helpers: Pick<Helpers, 'prepareBinaryData'>): Promise<Storage> {
	known ??= await helpers.prepareBinaryData(Buffer.from('?'), 'size.txt', 'text/plain').then(
		({ id }) => placeIn(id),
		() => undefined,
	);
	return known ?? 'disk';
}

/** Only what is stored outside of the memory has an ID. */
function placeIn(id: string | undefined): Storage {
	if (id === undefined) return 'memory';
	if (id.startsWith('filesystem')) return 'disk';
	return id.startsWith('database:') ? 'database' : 'bucket';
}

/** The part of an ID that stays when n8n moves the file to another folder, as every version does. */
export const lastingIdOf = (id: string): string => id.split(/[/:]/).at(-1) ?? id;
