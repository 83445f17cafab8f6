import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isTool } from '../ground/n8n';
import { fileResolver } from '../files/inputFiles';
import {
	emptyExpressionMessage,
	partsOf,
	refuseHoles,
	refusePlainExpression,
} from '../fields/prompt';
import { invalidMessage } from './outcomeMessage';
import { type Message, InvalidParameter, type NamedField, LABELS } from '../ground/words';
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
	const parts = partsOf(written.prompt);
	const planOf = async (given: IDataObject, item: number): Promise<ItemPlan> => {
		const returned = errorOfNode(given);
		const json = returned ? { ...given, error: undefined } : given;
		const parameters = { get: (name: string) => valueOf(context, name, item) };
		try {
			const resolveFile = fileResolver(context, item, isPractice ? undefined : baseUrl);
			const intent = await operation.intent(parameters, resolveFile, modelFamily);
			const settings = settingsOf(operation, parameters);
			// Agents and MCP clients get no files.
			if (forTool) delete settings.download;
			if ('taskId' in intent && isPracticeId(intent.taskId) && !isPractice) throw ofPractice();
			if ('taskId' in intent) return { ask: { item, wishes: [], ...intent, ...settings } };
			refusePlainExpression(PROMPT, written.prompt);
			refuseHoles(context, PROMPT, parts, item);
			const { request } = intent;
			const source = forTool
				? undefined
				: { parameters: written, fields: nodeProperties, item: json };
			const wishes = requestIdentities(request, baseUrl, source);
			return { ask: { item, wishes, request, returned, ...settings }, create: intent };
		} catch (thrown) {
			return { ask: refused(item, messageFor(thrown, written, json)) };
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

const PROMPT = { displayName: LABELS.prompt, name: 'prompt' };

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

function messageFor(thrown: unknown, written: IDataObject, item: IDataObject): Message {
	if (!(thrown instanceof InvalidParameter) || !thrown.isEmpty) return invalidMessage(thrown);
	const text = written[thrown.field.name ?? ''];
	return typeof text === 'string' && text.startsWith('=')
		? emptyExpressionMessage(thrown, text, item)
		: invalidMessage(thrown);
}
