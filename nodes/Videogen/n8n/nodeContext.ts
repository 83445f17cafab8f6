import type { IWebhookFunctions } from 'n8n-workflow';
import { escaped } from '../common/quotable';

/** What a node keeps in its context, as JSON. From 1.123 to 2.41, a webhook can only read it so. */
export function contextInWebhook(
	context: Pick<IWebhookFunctions, 'getNode' | 'evaluateExpression'>,
	key: string,
): string {
	// Some names look like code that n8n forbids in expressions.
	const node = `$("${escaped(context.getNode().name)}")`;
	return String(context.evaluateExpression(`{{ JSON.stringify(${node}.context.${key}) }}`));
}
