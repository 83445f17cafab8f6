import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isTool } from '../ground/n8n';
import { fileResolver, type FileResolver } from '../files/inputFiles';
import {
	emptyExpressionMessage,
	type Evaluate,
	refuseHoles,
	refusePlainExpression,
} from '../fields/prompt';
import { invalidMessage } from '../work/orderWords';
import { isJsonObject } from '../ground/json';
import {
	ABOUT_FILES_FOR_TOOL,
	type Message,
	InvalidParameter,
	type NamedField,
	LABELS,
	shown,
} from '../ground/words';
import { nodeProperties } from '../fields';
import { type Operation, type PlannedCreate, settingsOf } from '../fields/operation';
import type { Connection } from '../fields/credential';
import { taskId } from '../fields/getTask';
import { isPracticeId } from '../service/practice';
import { fieldIn, labelOf } from '../service/requestField';
import { errorOfNode } from './returned';
import { type Create, type Draft, type Fault, fail, newOrder, type Order } from '../work/order';
import type { Identity } from './identity';

/** Checks every item before the first is sent, so that a bad one does not follow paid ones. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	connection: Omit<Connection, 'service'>,
	identity: Identity,
): Promise<PlannedItem[]> {
	const planned: PlannedItem[] = [];
	const { parameters: written } = context.getNode();
	const files = fileResolver(context, connection.isPractice ? undefined : connection.baseUrl);
	for (const [index, input] of context.getInputData().entries()) {
		const returned = errorOfNode(input.json);
		const json = returned ? { ...input.json, error: undefined } : input.json;
		try {
			const asked = {
				...{ context, operation, connection, identity, files, index },
				input: { ...input, json },
			};
			planned.push({ ...(await plannedItem(asked)), returned });
		} catch (thrown) {
			const order = refusedOrder(
				messageFor(thrown, written, evaluateFor(context, index), isTool(context)),
				index,
			);
			planned.push({ index, order, simplify: true });
		}
	}
	shareOrderKeys(planned);
	return planned;
}

/** An input item in this run of the node, with what its fields say of the create. */
export interface PlannedItem extends Draft {
	create?: Create & PlannedCreate;
}

/** Items with one Order Key are one order; where they ask for different videos, none is. */
function shareOrderKeys(items: PlannedItem[]): void {
	const firsts = new Map<string, PlannedItem>();
	for (const item of items) {
		const { orderKey } = item.create?.settings ?? {};
		if (orderKey === undefined) continue;
		const first = firsts.get(orderKey) ?? item;
		firsts.set(orderKey, first);
		if (first.order.requestHash === item.order.requestHash) {
			if (first !== item) item.sharedWith = first;
			continue;
		}
		for (const one of items) {
			if (one.create?.settings.orderKey !== orderKey) continue;
			fail(one.order, twoVideosFault(orderKey));
			delete one.sharedWith;
		}
	}
}

const twoVideosFault = (orderKey: string): Fault => ({
	kind: 'invalid',
	message: `${LABELS.orderKey}: ${shown(orderKey)} stands for different videos in this run`,
	description: `Give each video an '${LABELS.orderKey}' of its own, for example with the ID of its row.`,
});

/** Who asks for what, and for which item. */
interface Asked {
	context: IExecuteFunctions;
	operation: Operation;
	connection: Omit<Connection, 'service'>;
	identity: Identity;
	files: FileResolver;
	index: number;
	/** Without the error of this node with which it came back. */
	input: INodeExecutionData;
}

/** @throws InvalidParameter */
async function plannedItem(asked: Asked): Promise<PlannedItem> {
	const { context, operation, connection, identity, files, index, input } = asked;
	const { isPractice, modelFamily } = connection;
	const parameters = { get: (name: string) => valueOf(context, name, index) };
	const intent = await operation.intent(parameters, files.forItem(index), modelFamily);
	const settings = settingsOf(operation, parameters);
	// Agents and MCP clients get no files.
	if (isTool(context)) delete settings.download;
	if ('taskId' in intent) {
		if (isPracticeId(intent.taskId) && !isPractice) throw ofPractice();
		return { index, order: readOrder(intent.taskId, index), ...settings };
	}
	checkTexts(intent, context.getNode().parameters, evaluateFor(context, index));
	const create = createOf(intent, identity, input);
	return { index, order: newOrder(create, index), create, ...settings };
}

const createOf = (
	intent: PlannedCreate,
	identity: Identity,
	input: INodeExecutionData,
): Create & PlannedCreate => {
	const keyAfter = identity.keyAfter(intent);
	return {
		...intent,
		requestHash: identity.hashOf(intent.request),
		itemHash: identity.itemHashOf(intent.request, input),
		mayResend: intent.settings.resendAfterNoReply,
		hasDerivedKey: keyAfter !== undefined,
		ownKey: intent.settings.orderKey === undefined ? undefined : keyAfter?.(0),
	};
};

/** Asking the service for it would only say that there is no such task. */
const ofPractice = (): InvalidParameter =>
	new InvalidParameter(
		taskId.property,
		' is the ID of a practice task: no video was made for it.',
		`Choose a credential whose '${LABELS.environment}' is Practice, or give the ID of a live task.`,
	);

/**
 * Refuses texts in which an expression gave nothing, or is not evaluated.
 * @throws InvalidParameter
 */
function checkTexts(
	{ request, settings }: PlannedCreate,
	written: IDataObject,
	evaluate: Evaluate,
) {
	const { prompt, options } = written;
	const own = isJsonObject(options) ? options : {};
	for (const [param, sent] of Object.entries(request)) {
		const name = fieldIn({ param });
		const field = { displayName: name ? labelOf(name, request) : param };
		const value = typeof sent === 'string' ? sent : JSON.stringify(sent);
		const text = { field, written: param === 'prompt' ? prompt : undefined, value };
		refusePlainExpression(text);
		if (param === 'prompt') refuseHoles(text, evaluate);
	}
	const orderKey = {
		field: { displayName: LABELS.orderKey },
		written: own.orderKey,
		value: settings.orderKey,
	};
	refusePlainExpression(orderKey);
	refuseHoles(orderKey, evaluate, true);
}

/** One that n8n cannot resolve alone makes the whole field invalid, or is part of another. */
const evaluateFor =
	(context: IExecuteFunctions, item: number): Evaluate =>
	(part) => {
		try {
			return context.evaluateExpression(part, item);
		} catch {
			return '';
		}
	};

/**
 * The value of a parameter. n8n does not say in which field an expression has a mistake.
 * @throws InvalidParameter naming the field, or the entry of a collection
 */
function valueOf(context: IExecuteFunctions, name: string, item: number): unknown {
	try {
		return context.getNodeParameter(name, item, null);
	} catch (thrown) {
		const field = nodeProperties.find((one) => one.name === name);
		for (const entry of field?.type === 'collection' ? (field.options ?? []) : []) {
			if ('displayName' in entry) valueOf(context, `${name}.${entry.name}`, item);
		}
		throw ofExpression(field ?? entryOf(name), thrown);
	}
}

const ofExpression = (field: NamedField, thrown: unknown): InvalidParameter =>
	new InvalidParameter(
		field,
		`: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
		'Correct the expression in this field.',
	);

/** The field of an entry, by the name of its collection and its own. */
function entryOf(path: string): NamedField {
	const [, name] = path.split('.');
	const entries = nodeProperties.flatMap(({ options = [] }) => options);
	const entry = entries.find((one) => one.name === name && 'displayName' in one);
	return entry && 'displayName' in entry ? entry : { displayName: path };
}

/** The order of an item for which nothing is sent. */
function refusedOrder(message: Message, item: number): Order {
	const order = newOrder({ requestHash: '' }, item);
	fail(order, { kind: 'invalid', ...message });
	return order;
}

/** The order of a task that exists, and is only read. */
const readOrder = (taskId: string, item: number): Order => ({
	...newOrder({ requestHash: '' }, item),
	state: { is: 'running', taskId },
});

function messageFor(
	thrown: unknown,
	written: IDataObject,
	evaluate: Evaluate,
	forTool: boolean,
): Message {
	if (!(thrown instanceof InvalidParameter)) return invalidMessage(thrown);
	const { about, field } = thrown;
	if (forTool && about === 'file') {
		return { message: thrown.message, description: ABOUT_FILES_FOR_TOOL };
	}
	const text = written[field.name ?? ''];
	return about === 'nothing' && typeof text === 'string' && text.startsWith('=')
		? emptyExpressionMessage(thrown, text, evaluate)
		: invalidMessage(thrown);
}
