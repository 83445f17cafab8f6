import { isJsonObject } from '../ground/json';
import { nearest, quotable } from '../ground/text';
import { InvalidParameter, isEmpty, listed, type Message, type NamedField } from '../ground/words';

const MAX_LISTED_FIELDS = 30;

/** What an expression in braces gives for an item, asked of n8n. */
export type Evaluate = (part: string) => unknown;

/** For a field whose expression gave nothing, which is a common mistake. */
export const emptyExpressionMessage = (
	{ field, advice }: InvalidParameter,
	expression: string,
	evaluate: Evaluate,
): Message => ({
	message: `${field.displayName}: the expression ${quotable(expression.slice(1))} gave nothing for this item`,
	description: `${whyNothing(codeOf(expression.slice(1)), evaluate) ?? 'Check the names in it.'} ${advice}`,
});

/**
 * For an expression that leaves a hole in a text, which begins with its field.
 * @param hole What n8n got in place of a text: undefined, null or [object Object].
 */
export const holeMessage = (
	part: string,
	hole: string,
	evaluate: Evaluate,
	mayBeEmpty = true,
): Message => ({
	message: `: ${quotable(part)} gave ${hole} for this item`,
	description: adviceFor(part, hole, evaluate, mayBeEmpty),
});

const SWITCH = 'switch from Fixed to Expression; or remove the braces.';
export const SWITCH_TO_EXPRESSION = `Above the field, ${SWITCH}`;

/** For a text that is sent with an expression in it, which begins with its field. */
export const plainExpressionMessage = (part: string, isExpression: boolean): Message => ({
	message: `: ${quotable(part)} is plain text here, not an expression`,
	description: isExpression
		? `It came in as plain text: in the node before, above the field with this text, ${SWITCH}`
		: SWITCH_TO_EXPRESSION,
});

function adviceFor(part: string, hole: string, evaluate: Evaluate, mayBeEmpty: boolean): string {
	if (hole.startsWith('['))
		return 'It is an object: add the name of one of its fields, such as .name.';
	if (/\$fromai/i.test(part)) return 'Give it in the call of the tool.';
	const why = whyNothing(codeOf(part), evaluate) ?? 'Check the names in it.';
	return mayBeEmpty ? `${why} If it may be missing, write ${quotable(withDefault(part))}.` : why;
}

const codeOf = (part: string): string =>
	part
		.trim()
		.replace(/^\{\{|\}\}$/g, '')
		.trim();

/** Parts of a path through fields, such as `$json`, `.body`, `["First Name"]` and `()`. */
const STEPS =
	/^\$\w*|\??\.[a-z_$][\w$]*|(?:\?\.)?\[\s*(?:"[^"]*"|'[^']*'|\d+)\s*\]|\((?:"[^"]*"|'[^']*'|[^()'"]*)\)/gi;

/** The name in one of them. */
const NAME = /^\??\.([\w$]+)$|["'](.*)["']|(\d+)/;

/** What has the last field of a path, and its name; `undefined` for other code. */
function lastFieldOf(code: string): { owner: string; name: string } | undefined {
	const steps = code.match(STEPS) ?? [];
	if (steps.join('') !== code) return undefined;
	// Methods at the end, such as `.trim()`, change what is there.
	while (steps.at(-1)?.startsWith('(')) steps.splice(-2);
	const last = NAME.exec(steps.pop() ?? '') ?? [];
	const name = last.slice(1).find((one) => one !== undefined);
	return name === undefined || steps.length === 0 ? undefined : { owner: steps.join(''), name };
}

/** Why a path gives nothing: a field that is not there, or one that is empty; `undefined` otherwise. */
function whyNothing(code: string, evaluate: Evaluate): string | undefined {
	const { owner, name } = lastFieldOf(code) ?? {};
	if (owner === undefined || name === undefined) return undefined;
	const fields = evaluate(`{{ ${owner} }}`);
	if (isEmpty(fields)) return whyNothing(owner, evaluate);
	if (!isJsonObject(fields)) return undefined;
	const names = Object.keys(fields);
	if (names.includes(name)) {
		return isEmpty(fields[name]) ? `The field ${quotable(name)} is empty in this row.` : undefined;
	}
	const known = listed(names.map(quotable), MAX_LISTED_FIELDS) || 'none';
	const meant = nearest(name, names);
	const question = meant === undefined ? '' : ` ${quotable(name)} → ${quotable(meant)}?`;
	return `There is no field ${quotable(name)}. Fields: ${known}.${question}`;
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

/** The expressions in a text as it is written in the node, as n8n splits it. */
export function partsOf(written: unknown): string[] {
	if (typeof written !== 'string' || !written.startsWith('=')) return [];
	const parts = written.split('{{').flatMap((part, index) => {
		const end = index === 0 ? -1 : part.indexOf('}}');
		return end < 0 ? [] : [`{{${part.slice(0, end)}}}`];
	});
	return [...new Set(parts)];
}

/** A text with expressions, as it is written in the node and as it is sent. */
export interface WrittenText {
	field: NamedField;
	written: unknown;
	value: string | undefined;
}

/**
 * Refuses a text with a part for which there is no value. n8n writes nothing in its place, and the
 * video would be of something else. An empty text is a value, unless `isEach`.
 * @param isEach Whether the text is to differ by item, as keys do.
 * @throws InvalidParameter
 */
export function refuseHoles(
	{ field, written, value }: WrittenText,
	evaluate: Evaluate,
	isEach = false,
): void {
	const parts = partsOf(written);
	// One that is the whole text has been evaluated: with nothing left, the field has refused it.
	const isKnown = !isEach && written === `=${parts[0]}`;
	for (const part of parts) {
		const hole = holeIn(isKnown ? value : evaluate(part), isEach);
		if (hole === undefined) continue;
		const { message, description } = holeMessage(part, hole, evaluate, !isEach);
		throw new InvalidParameter(field, message, description);
	}
	const inText = isEach && parts.length > 0 ? HOLE_IN_KEY.exec(value ?? '')?.[0] : undefined;
	if (inText === undefined) return;
	const what = `: "${quotable(value ?? '')}" has ${inText} in it.`;
	throw new InvalidParameter(field, what, 'Check the names in the expression.');
}

/** What JavaScript writes into a text for nothing. */
const HOLE_IN_KEY = /undefined|\b(?:null|NaN)\b|\[object Object\]/;

/**
 * Refuses a text that still has an expression in it when it is to be sent, wherever that came from.
 * @throws InvalidParameter
 */
export function refusePlainExpression({ field, written, value = '' }: WrittenText): void {
	const startsAt = value.indexOf('{{');
	const endsAt = startsAt < 0 ? -1 : value.indexOf('}}', startsAt);
	if (endsAt < 0) return;
	const isExpression = typeof written === 'string' && written.startsWith('=');
	// In a URL, blanks are encoded by now.
	const part = value.slice(startsAt, endsAt + 2).replaceAll('%20', ' ');
	const { message, description } = plainExpressionMessage(part, isExpression);
	throw new InvalidParameter(field, message, description);
}

function holeIn(value: unknown, isEach: boolean): string | undefined {
	if (value === undefined || value === null) return String(value);
	if (isEach && isEmpty(value)) return 'nothing';
	try {
		return String(value).includes(NO_TEXT) ? NO_TEXT : undefined;
	} catch {
		return NO_TEXT;
	}
}
