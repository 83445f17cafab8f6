import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createSettingsFrom } from '../../../nodes/Videogen/fields/options';
import { Identity } from '../../../nodes/Videogen/run/identity';
import { errorOfNode } from '../../../nodes/Videogen/run/plan';
import type { Item } from '../../../nodes/Videogen/work/order';
import type { Settings } from './executions';
import type { NodeRun } from './node';

const ACCOUNT = { apiKey: 'key', baseUrl: 'https://service.example', modelFamily: 'videogen-2.5' };

/** Read once, as that takes longer than a life. */
const DEFAULTS = createSettingsFrom({});

/** What the items of a run ask for, by the node's own hashes and keys, and whose they are. */
export function wishesOf(run: NodeRun): { items: Item[]; identity: Identity } {
	const identity = new Identity(contextOf(run), { ...ACCOUNT, isPractice: false });
	const { mayResend: resendAfterNoReply, mayReuse: reuseInEditor } = run.settings;
	const items = run.items.map(({ json }, index) => {
		const returned = errorOfNode(json);
		const input: IDataObject = returned ? { ...json, error: undefined } : json;
		const idempotencyKey = run.keyTextOf(index);
		const wish = identity.wishOf(
			{
				request: requestOf(run, index),
				files: [],
				settings: { ...DEFAULTS, idempotencyKey, resendAfterNoReply, reuseInEditor },
			},
			input,
		);
		return { index, wish, simplify: true, ...(returned && { returned }) };
	});
	return { items, identity };
}

const requestOf = (run: NodeRun, index: number) => ({
	...{ model: 'videogen-2.5-text-to-video', prompt: run.promptOf(index), duration: 5 },
	...(run.settings.callback && { callback_url: run.settings.callback }),
});

/** What n8n gives the node. */
export function contextOf(run: NodeRun): IExecuteFunctions {
	const { settings, isTool } = run;
	const node = {
		...{ id: 'node', name: 'Videogen', typeVersion: 1, position: [0, 0] },
		type: isTool ? 'videogenTool' : 'videogen',
		parameters: {
			...{ operation: 'createTextVideo', prompt: `=${settings.promptField}` },
			options: optionsOf(settings, settings.keyField),
		},
		retryOnFail: settings.tries > 1,
	};
	return Object.assign(Object.create(null), {
		getNode: () => node,
		getWorkflow: () => ({ id: 'workflow', active: false }),
		getInstanceId: () => 'instance',
		getExecutionId: () => run.executionId,
		getMode: () => (run.isManual ? 'manual' : 'trigger'),
		getWorkflowDataProxy: () => ({ $runIndex: run.run }),
		continueOnFail: () => run.continuesOnError,
	});
}

const optionsOf = (settings: Settings, idempotencyKey: string) => ({
	...(idempotencyKey && { idempotencyKey }),
	...(settings.callback && { callbackUrl: settings.callback }),
	...{ resendAfterNoReply: settings.mayResend, reuseInEditor: settings.mayReuse },
	...{ maxNewTasks: settings.maxNewTasks, timeoutMinutes: settings.timeout },
});
