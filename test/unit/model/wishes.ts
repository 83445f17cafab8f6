import type { IExecuteFunctions } from 'n8n-workflow';
import { createSettingsFrom } from '../../../nodes/Videogen/fields/options';
import { Identity } from '../../../nodes/Videogen/run/identity';
import { errorOfNode } from '../../../nodes/Videogen/run/plan';
import type { Item } from '../../../nodes/Videogen/work/order';
import type { NodeRun } from './node';

const ACCOUNT = { apiKey: 'key', baseUrl: 'https://service.example', modelFamily: 'videogen-2.5' };

/** Read once, as that takes longer than a life. */
const DEFAULTS = createSettingsFrom({});

/** What the items of a run ask for, by the node's own hashes and keys, and whose they are. */
export function wishesOf(run: NodeRun): { items: Item[]; identity: Identity } {
	const identity = new Identity(contextOf(run), { ...ACCOUNT, isPractice: false });
	const { mayResend, mayReuse, callback } = run.execution.settings;
	const settings = { resendAfterNoReply: mayResend, reuseInEditor: mayReuse };
	const items = run.due.items.map((item, index) => {
		const returned = errorOfNode(item.json);
		const request = {
			...{ model: 'videogen-2.5-text-to-video', prompt: run.promptOf(item), duration: 5 },
			...(callback && { callback_url: callback }),
		};
		const wish = identity.wishOf(
			{
				...{ request, files: [] },
				settings: { ...DEFAULTS, ...settings, idempotencyKey: run.keyTextOf(item) },
			},
			returned ? { ...item.json, error: undefined } : { ...item.json },
		);
		return { index, wish, simplify: true, ...(returned && { returned }) };
	});
	return { items, identity };
}

/** What n8n gives the node. */
export function contextOf({ world, execution, due, continuesOnError }: NodeRun): IExecuteFunctions {
	const { settings } = execution;
	const node = {
		...{ id: 'node', name: 'Videogen', typeVersion: 1, position: [0, 0] },
		type: world.isTool ? 'videogenTool' : 'videogen',
		parameters: {
			...{ operation: 'createTextVideo', prompt: `=${settings.promptField}` },
			options: {
				...(settings.keyField && { idempotencyKey: settings.keyField }),
				...(settings.callback && { callbackUrl: settings.callback }),
				...{ resendAfterNoReply: settings.mayResend, reuseInEditor: settings.mayReuse },
				...{ maxNewTasks: settings.maxNewTasks, timeoutMinutes: settings.timeout },
			},
		},
		retryOnFail: settings.tries > 1,
	};
	return Object.assign(Object.create(null), {
		getNode: () => node,
		getWorkflow: () => ({ id: 'workflow', active: false }),
		getInstanceId: () => 'instance',
		getExecutionId: () => execution.id,
		getMode: () => (execution.mode === 'manual' ? 'manual' : 'trigger'),
		getWorkflowDataProxy: () => ({ $runIndex: due.run }),
		continueOnFail: () => continuesOnError,
	});
}
