import type { IExecuteFunctions } from 'n8n-workflow';
import { whyUnreachable } from '../ground/url';
import { continuesOnError, isTool, isSubWorkflow, isN8n1 } from '../ground/n8n';
import type { ItemPlan } from './plan';
import { SET_PUBLIC_URL, InvalidParameter, LABELS } from '../ground/words';
import type { Connection } from '../fields/credential';

/** With its own path, a late callback resumes no other node that waits in the execution. */
export const CALLBACK_PATH = 'videogen';

const ASK_INSTEAD = `“${LABELS.poll}” as ${LABELS.waitMethod}.`;

/**
 * The URL at which the service calls back while the node rests; `undefined` when the node does not
 * rest, as for practice, where nobody calls. The settings of the first valid item count, as everywhere.
 * @throws InvalidParameter where a rest is not possible
 */
export function resumeUrlFor(
	context: IExecuteFunctions,
	plans: ItemPlan[],
	{ baseUrl, isPractice }: Pick<Connection, 'baseUrl' | 'isPractice'>,
): string | undefined {
	const first = plans.find(({ ask }) => !ask.outcome);
	if (!first?.create || first.ask.wait?.method !== 'callback') return undefined;
	if (isTool(context)) throw cannotRest('an AI agent’s tool cannot rest.');
	if (!continuesOnError(context)) {
		const next = 'In the settings of the node, set On Error to Continue.';
		throw cannotRest('a node that rests cannot stop with an error.', next);
	}
	const { maxConcurrentTasks } = first.create.settings;
	if (plans.length > maxConcurrentTasks) {
		throw cannotRest(
			`all tasks are created before the node rests, but these are ${plans.length} items and ${LABELS.maxConcurrentTasks} is ${maxConcurrentTasks}.`,
			`Raise ${LABELS.maxConcurrentTasks} in ${LABELS.options}, or send fewer items at once.`,
		);
	}
	if (plans.some(hasOwnCallback)) {
		const what = `a task has one callback, and ${LABELS.callbackUrl} in ${LABELS.options} is set.`;
		throw cannotRest(what, `Remove ${LABELS.callbackUrl}.`);
	}
	if (isSubWorkflow(context) && isN8n1(context)) {
		const what = 'n8n 1 gives a workflow that calls this one its own items back, not the videos.';
		throw cannotRest(what, 'Update n8n to version 2.');
	}
	if (context.getNode().executeOnce) throw cannotRest('Execute Once is on.', 'Switch it off.');
	if (isPractice) return undefined;
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const unreachable = whyUnreachable(resumeUrl, baseUrl);
	if (unreachable === undefined) return resumeUrl.replace(/(?=\?|$)/, `/${CALLBACK_PATH}`);
	throw cannotRest(`the service could not call back, because ${unreachable}`, SET_PUBLIC_URL);
}

const hasOwnCallback = ({ create }: ItemPlan): boolean =>
	create?.request.callback_url !== undefined;

const cannotRest = (whatIsWrong: string, next?: string): InvalidParameter =>
	new InvalidParameter(
		{ displayName: LABELS.waitMethod },
		`: ${whatIsWrong}`,
		next === undefined ? `Choose ${ASK_INSTEAD}` : `${next} Or choose ${ASK_INSTEAD}`,
	);
