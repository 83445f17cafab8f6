import type { IDataObject } from 'n8n-workflow';
import { quotable } from '../common/quotable';
import type { InvalidParameter } from '../parameters/invalidParameter';
import { listed, type Message } from './message';

const MAX_LISTED_FIELDS = 30;

/** For a field whose expression gave nothing, which is a common mistake. */
export const emptyExpressionMessage = (
	{ field, advice }: InvalidParameter,
	expression: string,
	item: IDataObject,
): Message => ({
	message: `${field.displayName}: the expression ${quotable(expression.slice(1))} gave nothing for this item`,
	description: `Fields of the item: ${listed(Object.keys(item).map(quotable), MAX_LISTED_FIELDS) || 'none'}. ${advice}`,
});

/**
 * For an expression that leaves a hole in a text, which begins with its field.
 * @param hole What n8n got in place of a text: undefined, null or [object Object].
 */
export const holeMessage = (part: string, hole: string): Message => ({
	message: `: ${quotable(part)} gave ${hole} for this item`,
	description: adviceFor(part, hole),
});

/** For an expression in a field that is not set to Expression, which begins with its field. */
export const plainExpressionMessage = (part: string): Message => ({
	message: `: ${quotable(part)} is only text here, so the video would be of these signs`,
	description: 'Above the field, switch from Fixed to Expression; or remove the braces.',
});

function adviceFor(part: string, hole: string): string {
	if (hole.startsWith('['))
		return 'It is an object: add the name of one of its fields, such as .name.';
	if (/\$fromai/i.test(part)) return 'Give it in the call of the tool.';
	const check = hole === 'null' ? 'It is empty there: fill it in.' : 'Check the name of the field.';
	return `${check} If it may be missing, write ${quotable(withDefault(part))}.`;
}

/** The same expression, with an empty text where there is nothing. */
function withDefault(part: string): string {
	const code = part.slice(2, -2).trim();
	// Without this, a path through what is missing gives nothing, whatever stands behind it.
	const safe = /["'`]/.test(code) ? code : code.replace(/\.(?<=\.\w+\.)(?=[a-z_$])/gi, '?.');
	return `{{ ${/[|&?]/.test(safe.replaceAll('?.', '')) ? `(${safe})` : safe} ?? '' }}`;
}
