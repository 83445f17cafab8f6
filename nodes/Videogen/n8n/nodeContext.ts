import type { IWebhookFunctions } from 'n8n-workflow';
import { escaped } from '../common/quotable';

/**
 * What a node keeps in its context, as JSON. In a webhook there is no other way to it than by an
 * expression, from 1.123 to 2.41.
 */
export function contextInWebhook(
	context: Pick<IWebhookFunctions, 'getNode' | 'evaluateExpression'>,
	key: string,
): string {
	// Some names look like code that n8n forbids in expressions.
	const node = `$("${escaped(context.getNode().name)}")`;
	return String(context.evaluateExpression(`{{ JSON.stringify(${node}.context.${key}) }}`));
}
