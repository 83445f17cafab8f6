import type { IExecuteFunctions } from 'n8n-workflow';
import { holeMessage, plainExpressionMessage } from '../messages/expressionMessages';
import { InvalidParameter, type NamedField } from '../parameters/invalidParameter';

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
