import type { IWebhookFunctions } from 'n8n-workflow';

/** The name as an expression that n8n searches for nothing: some names look like forbidden code. */
const escaped = (name: string): string =>
	name.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * What a node keeps in its context, as JSON. In a webhook there is no other way to it than by an
 * expression, from 1.123 to 2.41.
 */
export function contextInWebhook(
	context: Pick<IWebhookFunctions, 'getNode' | 'evaluateExpression'>,
	key: string,
): string {
	const node = `$("${escaped(context.getNode().name)}")`;
	return String(context.evaluateExpression(`{{ JSON.stringify(${node}.context.${key}) }}`));
}
