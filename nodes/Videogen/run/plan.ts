import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../ground/n8n';
import { fileResolver } from '../files/inputFiles';
import {
	emptyExpressionMessage,
	type Evaluate,
	refuseHoles,
	refusePlainExpression,
} from '../fields/prompt';
import { invalidMessage } from './outcomeMessage';
import { isJsonObject } from '../ground/json';
import {
	ABOUT_FILES_FOR_TOOL,
	type Message,
	InvalidParameter,
	type NamedField,
	LABELS,
} from '../ground/words';
import { nodeProperties } from '../fields';
import { type Operation, type PlannedCreate, settingsOf } from '../fields/operation';
import type { Connection } from '../fields/credential';
import { taskId } from '../fields/getTask';
import { isPracticeId } from '../service/practice';
import { errorOfNode } from './returned';
import { requestIdentities } from './requestIdentity';
import type { Ask } from '../work/taskStore';

/** What one item asks for, all of it checked, nothing sent. */
export interface ItemPlan {
	ask: Ask;
	/** How its create is sent; absent when there is none. */
	create?: PlannedCreate;
}

/** Checks every item before the first is sent, so that a bad one does not follow paid ones. */
export async function planItems(
	context: IExecuteFunctions,
	operation: Operation,
	{ modelFamily, baseUrl, isPractice }: Connection,
): Promise<ItemPlan[]> {
	const written = context.getNode().parameters;
	const forTool = isTool(context);
	const files = fileResolver(context, isPractice ? undefined : baseUrl);
	const planOf = async (given: IDataObject, item: number): Promise<ItemPlan> => {
		const returned = errorOfNode(given);
		const json = returned ? { ...given, error: undefined } : given;
		const parameters = { get: (name: string) => valueOf(context, name, item) };
		const evaluate = evaluateFor(context, item);
		try {
			const intent = await operation.intent(parameters, files.forItem(item), modelFamily);
			const settings = settingsOf(operation, parameters);
			// Agents and MCP clients get no files.
			if (forTool) delete settings.download;
			if ('taskId' in intent && isPracticeId(intent.taskId) && !isPractice) throw ofPractice();
			if ('taskId' in intent) return { ask: { item, wishes: [], ...intent, ...settings } };
			checkTexts(intent, written, evaluate);
			const { request } = intent;
			const source = forTool
				? undefined
				: { parameters: written, fields: nodeProperties, item: json };
			const wishes = requestIdentities(request, baseUrl, source);
			return { ask: { item, wishes, request, returned, ...settings }, create: intent };
		} catch (thrown) {
			return { ask: refused(item, messageFor(thrown, written, evaluate, forTool)) };
		}
	};
	const plans: ItemPlan[] = [];
	for (const [item, { json }] of context.getInputData().entries()) {
		plans.push(await planOf(json, item));
	}
	return plans;
}

/** Asking the service for it would only say that there is no such task. */
const ofPractice = (): InvalidParameter =>
	new InvalidParameter(
		taskId.property,
		' is one of a practice task, for which no video was made.',
		'Choose a credential whose Environment is Practice, or give the ID of a live task.',
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
	const prompt = {
		field: { displayName: LABELS.prompt },
		written: written.prompt,
		value: request.prompt,
	};
	refusePlainExpression(prompt);
	refuseHoles(prompt, evaluate);
	const { options } = written;
	const orderKey = {
		field: { displayName: LABELS.orderKey },
		written: isJsonObject(options) ? options.orderKey : undefined,
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

/** An item for which nothing is sent. */
const refused = (item: number, message: Message): Ask => ({
	item,
	wishes: [],
	outcome: { kind: 'notSent', why: 'invalid', ...message },
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
