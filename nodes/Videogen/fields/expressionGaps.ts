import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, jsonTextOf } from '../shared/json';
import { InvalidParameter, LABELS, type NamedField, shown } from '../shared/messages';
import { quotable } from '../shared/text';

/** A letter, a digit or an emoji (flags included). A text without any of them describes nothing. */
export const ANY_WORD = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/** A node's parameters as they are saved, with unresolved expressions. */
export interface WrittenTexts {
	written: IDataObject;
	/** Asks n8n what an expression in braces returns for the item. */
	evaluate(part: string): unknown;
}

/**
 * Refuses a value that still contains an expression, wherever it came from.
 * @throws InvalidParameter
 */
export function refusePlainExpression(field: NamedField, given: unknown): void {
	// In JSON, `{{` only occurs inside a text. The field refuses what cannot be JSON.
	const text = typeof given === 'string' ? given : (jsonTextOf(given) ?? '');
	const startsAt = text.indexOf('{{');
	const endsAt = startsAt < 0 ? -1 : text.indexOf('}}', startsAt);
	if (endsAt < 0) return;
	throw new InvalidParameter(
		field,
		`: ${quotable(text.slice(startsAt, endsAt + 2))} is plain text here, not an expression.`,
		'Switch the field that holds this text from Fixed to Expression, here or in the node before, or remove the braces.',
	);
}

/** What n8n writes into a text for an object. */
const NO_TEXT = '[object Object]';

const NAME_FIELD =
	'The expression gives an object: name one of its fields, such as {{ $json.product.name }}.';
const DRAG_COLUMN =
	"Check the column in the input of this node, and drag it into the field again. For a value that may be missing, add a default, such as {{ $json.name ?? '' }}.";

/** What JavaScript writes into a text for a missing value. `nullable` is an ordinary word. */
const HOLE_IN_KEY = /undefined|(?<!\p{L})null(?!\p{L})|\[object Object\]/u;

/**
 * Refuses a prompt or key in which an expression returned nothing. n8n would leave a gap, and the
 * item would get a different video or the key of another item.
 * @throws InvalidParameter
 */
export function checkTexts(
	request: { prompt: string },
	idempotencyKey: string,
	{ written, evaluate }: WrittenTexts,
): void {
	const { prompt, options } = written;
	const ofKey = isJsonObject(options) ? options.idempotencyKey : undefined;
	const key = { displayName: LABELS.idempotencyKey, name: 'idempotencyKey' };
	refuseHoles({ displayName: LABELS.prompt, name: 'prompt' }, prompt, request.prompt, evaluate);
	refuseHoles(key, ofKey, idempotencyKey, evaluate);
	const inKey = partsOf(ofKey).length > 0 ? HOLE_IN_KEY.exec(idempotencyKey)?.[0] : undefined;
	if (inKey === undefined) return;
	const what = `: ${shown(idempotencyKey)} has ${inKey} in it.`;
	throw new InvalidParameter(key, what, 'Check the names in the expression.');
}

function refuseHoles(
	field: NamedField,
	written: unknown,
	value: string,
	evaluate: WrittenTexts['evaluate'],
): void {
	for (const part of partsOf(written)) {
		// If the expression is the whole text and returned one, its value is known already.
		const isKnown = written === `=${part}` && value !== '';
		const hole = holeIn(isKnown ? value : evaluate(part));
		if (hole === undefined) continue;
		throw new InvalidParameter(
			field,
			`: ${quotable(part)} is ${hole} for this item.`,
			hole === NO_TEXT ? NAME_FIELD : DRAG_COLUMN,
		);
	}
}

/** The expressions in a text as written in the node, split the way n8n splits them. */
function partsOf(written: unknown): string[] {
	if (typeof written !== 'string' || !written.startsWith('=')) return [];
	const parts = written.split('{{').flatMap((part, index) => {
		const end = index === 0 ? -1 : part.indexOf('}}');
		return end < 0 ? [] : [`{{${part.slice(0, end)}}}`];
	});
	return [...new Set(parts)];
}

function holeIn(value: unknown): string | undefined {
	const text = String(value);
	if (value === undefined || value === null) return text;
	return text.includes(NO_TEXT) ? NO_TEXT : undefined;
}
