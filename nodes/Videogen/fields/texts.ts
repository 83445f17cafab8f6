import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, throughJson } from '../shared/json';
import { InvalidParameter, LABELS, type NamedField, shown } from '../shared/messages';
import { quotable } from '../shared/text';

/** A letter, a digit or an emoji, flags included: without any, nothing is described. */
export const ANY_WORD = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

/** The parameters of a node as they are saved, expressions and all. */
export interface WrittenTexts {
	written: IDataObject;
	/** What an expression in braces gives for the item, asked of n8n. */
	evaluate(part: string): unknown;
}

/**
 * Refuses a value that still has an expression in it, wherever that came from.
 * @throws InvalidParameter
 */
export function refusePlainExpression(field: NamedField, given: unknown): void {
	// Two braces in JSON only come from a text in it. What cannot be JSON is refused by its field.
	const text = typeof given === 'string' ? given : JSON.stringify(throughJson(given) ?? '');
	const startsAt = text.indexOf('{{');
	const endsAt = startsAt < 0 ? -1 : text.indexOf('}}', startsAt);
	if (endsAt < 0) return;
	throw new InvalidParameter(
		field,
		`: ${quotable(text.slice(startsAt, endsAt + 2))} is plain text here, not an expression.`,
		'Switch the field that holds this text from Fixed to Expression, here or in the node before, or remove the braces.',
	);
}

/** What n8n writes for an object in a text. */
const NO_TEXT = '[object Object]';

/** What JavaScript writes into a text for nothing; `nullable` is a word. */
const HOLE_IN_KEY = /undefined|(?<!\p{L})null(?!\p{L})|\[object Object\]/u;

/**
 * Refuses a prompt or key in which an expression gave nothing: n8n leaves a hole, and the video would be
 * another, or have the key of another.
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
		// One that gave a text, and is all of it, need not be asked for again.
		const isKnown = written === `=${part}` && value !== '';
		const hole = holeIn(isKnown ? value : evaluate(part));
		if (hole === undefined) continue;
		throw new InvalidParameter(
			field,
			`: ${quotable(part)} gave ${hole} for this item.`,
			"Check the names in the expression. Of an object, name a field; for a value that may be missing, write a default, such as {{ $json.name ?? '' }}.",
		);
	}
}

/** The expressions in a text as it is written in the node, as n8n splits it. */
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
