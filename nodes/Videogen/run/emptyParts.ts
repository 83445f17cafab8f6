import type { IExecuteFunctions } from 'n8n-workflow';
import { emptyPartsHint } from '../messages/hints';
import { isEmpty } from '../parameters/invalidParameter';
import { hint } from './log';

type PartsContext = Pick<
	IExecuteFunctions,
	'evaluateExpression' | 'getInputData' | 'getMode' | 'getNode' | 'addExecutionHints' | 'logger'
>;

/** The expressions in a text that n8n resolves. */
const expressionsIn = (text: string): string[] =>
	text
		.split('{{')
		.slice(1)
		.flatMap((part) => {
			const end = part.indexOf('}}');
			return end < 0 ? [] : [`{{${part.slice(0, end)}}}`];
		});

/**
 * Names the expressions in Prompt that gave nothing, in the editor only. They are allowed, because
 * some parts of a prompt may be empty.
 */
export function sayEmptyParts(context: PartsContext): void {
	const { prompt } = context.getNode().parameters;
	if (context.getMode() !== 'manual' || typeof prompt !== 'string' || !prompt.startsWith('='))
		return;
	const parts = [...new Set(expressionsIn(prompt))];
	const items = context.getInputData().map((_, item) => item);
	const empty = parts.flatMap((part) => {
		const without = items.filter((item) => isEmptyPart(context, part, item));
		return without.length > 0 ? [{ part, items: items.length > 1 ? without : [] }] : [];
	});
	if (empty.length > 0) hint(context, emptyPartsHint(empty), 'warning');
}

function isEmptyPart(context: PartsContext, part: string, item: number): boolean {
	try {
		return isEmpty(context.evaluateExpression(part, item));
	} catch {
		// An expression that cannot be resolved makes the whole field invalid.
		return false;
	}
}
