import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createDownload, simplify } from '../fields/output';
import type { Connection } from '../fields/credential';
import { propertiesOf } from '../fields/field';
import { type CreateSettings, runOptions } from '../fields/options';
import { createWait } from '../fields/wait';
import { hashOf, isJsonObject } from '../ground/json';
import type { ItemFile } from '../files/inputFiles';
import { executionIdOf, isTool } from '../ground/n8n';
import { lastingIdOf } from '../ground/storage';
import type { GenerationRequest } from '../service/contract/request';
import { derivedKey } from '../work/orderKey';

/** What of n8n tells a node from others. */
type Context = Pick<
	IExecuteFunctions,
	'getNode' | 'getWorkflow' | 'getMode' | 'getExecutionId' | 'getInstanceId' | 'continueOnFail'
>;

/** What of a planned create tells it from others. */
interface Planned {
	request: GenerationRequest;
	files: Array<Pick<ItemFile, 'reference' | 'contentHash'>>;
	settings: Pick<CreateSettings, 'orderKey' | 'reuseInEditor'>;
}

/** What tells the orders of a node from all others. */
export class Identity {
	/** Of the node in its workflow, as n8n knows both. */
	private readonly place: unknown[];

	/** Of the account at the service. */
	private readonly account: unknown[];

	/** Whether a person runs it in the editor; a tool is run by a model. */
	readonly isEditor: boolean;

	constructor(
		private readonly context: Context,
		private readonly connection: Omit<Connection, 'service'>,
	) {
		const { apiKey, baseUrl, isPractice } = connection;
		const node = context.getNode();
		this.place = [context.getWorkflow().id, node.id];
		this.account = [isPractice ? 'practice' : 'live', baseUrl, apiKey];
		this.isEditor = context.getMode() === 'manual' && !isTool(context);
	}

	/** Under which this process remembers what is ordered; `undefined` in production. */
	get memoryNode(): string | undefined {
		if (this.isEditor) return hashOf([this.place, this.account]);
		const executionId = executionIdOf(this.context);
		return isTool(this.context) && executionId !== undefined
			? hashOf([this.place, executionId])
			: undefined;
	}

	/** The same for requests that are equal as they would be sent, their Callback URL aside. */
	hashOf(request: GenerationRequest): string {
		return hashOf([this.connection.baseUrl, { ...request, callback_url: undefined }]);
	}

	/**
	 * The same for every try of an item, whose request may differ: `$now` gives something else each time.
	 * Calls of an agent's tool have nothing in common but the values that the agent gave.
	 * @param item Without the error of this node with which it came back.
	 */
	itemHashOf({ model }: GenerationRequest, { json, binary = {} }: INodeExecutionData) {
		if (isTool(this.context)) return undefined;
		const { parameters } = this.context.getNode();
		const files = Object.entries(binary).map(([name, { id, data }]) => [
			name,
			id ? lastingIdOf(id) : data,
		]);
		try {
			return hashOf([this.connection.baseUrl, model, aboutVideo(parameters), json, files]);
		} catch {
			// What cannot be written as JSON cannot be saved with an execution either.
			return undefined;
		}
	}

	/**
	 * The hash of a request with its files by their content; `undefined` for one that is ordered each time.
	 * @param end Ends the reading of files.
	 */
	async contentOf({ request, files }: Planned, end: AbortSignal) {
		if (!this.isEditor) return isTool(this.context) ? this.hashOf(request) : undefined;
		if (request.callback_url !== undefined) return undefined;
		const contents = new Map<unknown, string>();
		for (const file of files) {
			const content = await file.contentHash(end);
			if (content === undefined) return undefined;
			contents.set(file.reference, content);
		}
		const meant = (value: unknown): unknown =>
			Array.isArray(value) ? value.map(meant) : (contents.get(value) ?? value);
		return hashOf(Object.entries(request).map(([name, value]) => [name, meant(value)]));
	}

	/** The key of an order where every process is to find the same; `undefined` for a random one. */
	keyAfter({ request, files, settings }: Planned) {
		const { orderKey, reuseInEditor } = settings;
		const { place, account, context } = this;
		if (!context.getWorkflow().id) return undefined;
		const node = [context.getInstanceId(), ...place];
		if (orderKey !== undefined) return () => derivedKey(['orderKey', ...node, orderKey]);
		const isPlain = files.length === 0 && request.callback_url === undefined;
		if (!this.isEditor || !reuseInEditor || !isPlain) return undefined;
		return (before: number) => derivedKey(['editor', ...node, ...account, request, before]);
	}
}

/** Fields that do not decide which video is made. */
const OF_THE_RUN = [...propertiesOf([createWait, createDownload, simplify]), ...runOptions].map(
	({ name }) => name,
);

/** The fields of a node as n8n saved them, without those. */
const aboutVideo = (parameters: IDataObject): Array<[string, unknown]> =>
	Object.entries(parameters)
		.filter(([name]) => !OF_THE_RUN.includes(name))
		.map(([name, value]): [string, unknown] => [
			name,
			name === 'options' && isJsonObject(value) ? aboutVideo(value) : value,
		])
		.sort(([one], [other]) => (one < other ? -1 : 1));
