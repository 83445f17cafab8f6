import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { quotable } from '../ground/text';
import { InvalidParameter, listed, type Message, type NamedField } from '../ground/words';

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

/** What n8n writes for an object in a text. */
const NO_TEXT = '[object Object]';

/**
 * The expressions in a prompt that has text around them, as n8n splits it. One that is the whole
 * prompt comes to the field as it is, and is judged there.
 */
export function partsOf(written: unknown): string[] {
	if (typeof written !== 'string' || !written.startsWith('=')) return [];
	const parts = written.split('{{').flatMap((part, index) => {
		const end = index === 0 ? -1 : part.indexOf('}}');
		return end < 0 ? [] : [`{{${part.slice(0, end)}}}`];
	});
	return written === `=${parts[0]}` ? [] : [...new Set(parts)];
}

/**
 * Refuses a prompt with a part for which there is no value. n8n writes nothing in its place, and the
 * video would be of something else. An empty text is a value.
 * @throws InvalidParameter
 */
export function refuseHoles(
	context: Pick<IExecuteFunctions, 'evaluateExpression'>,
	field: NamedField,
	parts: string[],
	item: number,
): void {
	for (const part of parts) {
		const hole = holeIn(valueOf(context, part, item));
		if (hole === undefined) continue;
		const { message, description } = holeMessage(part, hole);
		throw new InvalidParameter(field, message, description);
	}
}

/**
 * Refuses a prompt with an expression that n8n takes for text: the field is not set to Expression.
 * @throws InvalidParameter
 */
export function refusePlainExpression(field: NamedField, written: unknown): void {
	if (typeof written !== 'string' || written.startsWith('=')) return;
	const startsAt = written.indexOf('{{');
	const endsAt = startsAt < 0 ? -1 : written.indexOf('}}', startsAt);
	if (endsAt < 0) return;
	const { message, description } = plainExpressionMessage(written.slice(startsAt, endsAt + 2));
	throw new InvalidParameter(field, message, description);
}

/** One that n8n cannot resolve alone makes the whole field invalid, or is part of another. */
function valueOf(
	context: Pick<IExecuteFunctions, 'evaluateExpression'>,
	part: string,
	item: number,
): unknown {
	try {
		return context.evaluateExpression(part, item);
	} catch {
		return '';
	}
}

function holeIn(value: unknown): string | undefined {
	if (value === undefined || value === null) return String(value);
	try {
		return String(value).includes(NO_TEXT) ? NO_TEXT : undefined;
	} catch {
		return NO_TEXT;
	}
}
