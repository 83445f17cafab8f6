import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { nodeProperties } from '../operations';
import type { Connection } from '../fields/credential';
import { taskId } from '../operations/getTask';
import { type Operation, settingsOf } from '../operations/operation';
import { fileResolver } from '../files/inputs';
import { isJsonObject } from '../shared/json';
import {
	ABOUT_FILES_FOR_TOOL,
	type Failure,
	invalidFailure,
	InvalidParameter,
	LABELS,
	type NamedField,
} from '../shared/messages';
import { isForMcpClient, isTool } from '../shared/n8n';
import { isPracticeId } from '../service/practice';
import type { Plan, StopPlan } from '../work/session';
import { askedBy, fieldsHashOf, type identityOf } from './identity';

/** What is needed to plan any item. */
interface Planning {
	context: IExecuteFunctions;
	operation: Operation;
	connection: Omit<Connection, 'service'>;
	identity: ReturnType<typeof identityOf>;
	/** Stops reading files. */
	end: AbortSignal;
}

/**
 * Validates every item before the first one is sent, so that an invalid item does not turn up after
 * others were paid for.
 */
export async function planItems(planning: Planning): Promise<Plan[]> {
	const { context, connection, end } = planning;
	const serviceUrl = connection.isPractice ? undefined : connection.baseUrl;
	const filesOf = fileResolver(context, serviceUrl, end);
	const plans: Plan[] = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		try {
			plans.push(await planFor(planning, filesOf(index), index, json));
		} catch (thrown) {
			plans.push(refusedPlan(index, json, failureOf(thrown, isTool(context))));
		}
	}
	return plans;
}

/** The plan of an item that gets no further. */
export const refusedPlan = (index: number, json: IDataObject, failure: Failure): StopPlan => ({
	do: 'stop',
	index,
	returned: errorOfNode(json),
	simplify: true,
	failure,
});

/** @throws InvalidParameter */
async function planFor(
	{ context, operation, connection, identity }: Planning,
	resolveFile: ReturnType<ReturnType<typeof fileResolver>>,
	index: number,
	json: IDataObject,
): Promise<Plan> {
	const parameters = {
		get: (name: string) => valueOf(context, name, index),
		written: context.getNode().parameters,
		evaluate: (part: string) => evaluated(context, part, index),
	};
	const returned = errorOfNode(json);
	const ownJson = returned ? { ...json, error: undefined } : json;
	const fieldsHash = fieldsHashOf(identity.parametersHash, ownJson);
	const isForTool = isTool(context);
	const { downloadTo, ...settings } = settingsOf(operation, parameters);
	// Agents and MCP clients cannot receive files.
	const base = { index, returned, ...settings, downloadTo: isForTool ? undefined : downloadTo };
	const values = await operation
		.valuesFrom(parameters, resolveFile, connection.modelFamily)
		.catch((thrown: unknown) => ({ failure: failureOf(thrown, isForTool) }));
	const known = { parametersHash: identity.parametersHash, fieldsHash };
	if ('failure' in values) return { do: 'stop', ...base, ...values, asked: known };
	if ('taskId' in values) {
		if (isPracticeId(values.taskId) && !connection.isPractice) throw ofPractice();
		return { do: 'read', ...base, taskId: values.taskId };
	}
	if (base.wait && isForMcpClient(context)) throw mcpClientWaits();
	const asked = askedBy(identity, values, fieldsHash);
	const { files, settings: createSettings } = values;
	return { do: 'create', ...base, asked, files, settings: createSettings };
}

/** The error with which an item left this node before it came back, as in a loop. */
function errorOfNode({ error }: IDataObject): { orderId?: string } | undefined {
	if (!isJsonObject(error)) return undefined;
	const { message, description, kind, orderId } = error;
	if (![message, description, kind].every((text) => typeof text === 'string')) return undefined;
	return typeof orderId === 'string' ? { orderId } : {};
}

/** The service would only answer that there is no such task. */
const ofPractice = (): InvalidParameter =>
	new InvalidParameter(
		taskId.property,
		' is the ID of a practice task.',
		`Choose a credential whose '${LABELS.environment}' is Practice, or give the ID of a live task.`,
	);

/** MCP clients give up before a video is finished, then ask and pay again. */
const mcpClientWaits = (): InvalidParameter =>
	new InvalidParameter(
		{ displayName: LABELS.waitForCompletion },
		' is on, but an MCP client does not wait for as long as a video takes.',
		`Turn it off, and give the client a second tool with ${LABELS.getTask} and '${LABELS.waitForCompletion}' on.`,
	);

/**
 * A part that cannot be evaluated alone counts as empty: either the whole field is invalid, or the
 * part is inside another expression.
 */
function evaluated(context: IExecuteFunctions, part: string, index: number): unknown {
	try {
		return context.evaluateExpression(part, index);
	} catch {
		return '';
	}
}

/** A field, or an entry of a collection. */
type NodeField = NamedField & Partial<Pick<INodeProperties, 'type' | 'options'>>;

/**
 * The value of a parameter. If an expression fails, n8n does not say which field it is in.
 * @throws InvalidParameter naming the field, or the entry of a collection
 */
function valueOf(
	context: IExecuteFunctions,
	name: string,
	index: number,
	field: NodeField | undefined = nodeProperties.find((one) => one.name === name),
): unknown {
	try {
		return context.getNodeParameter(name, index, null);
	} catch (thrown) {
		for (const entry of (field?.type === 'collection' && field.options) || []) {
			if ('displayName' in entry) valueOf(context, `${name}.${entry.name}`, index, entry);
		}
		throw ofExpression(field ?? { displayName: name }, thrown);
	}
}

function ofExpression(field: NamedField, thrown: unknown): InvalidParameter {
	const what = thrown instanceof Error ? thrown.message : String(thrown);
	return new InvalidParameter(field, `: ${what}`, 'Correct the expression in this field.');
}

function failureOf(thrown: unknown, isForTool: boolean): Failure {
	const isFile = thrown instanceof InvalidParameter && thrown.about === 'file';
	const failure = invalidFailure(thrown);
	return isForTool && isFile ? { ...failure, description: ABOUT_FILES_FOR_TOOL } : failure;
}
