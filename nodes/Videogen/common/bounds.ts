/** Servers accept no longer URLs, and an id becomes part of one. */
export const MAX_URL_CHARACTERS = 8_192;

/** Longer than any name that a person gives to a file or a field. */
export const MAX_NAME_CHARACTERS = 1_000;

/** A text without these characters at its ends. A pattern such as `,+$` takes quadratic time. */
export function withoutEdges(text: string, isEdge: RegExp): string {
	let start = 0;
	let end = text.length;
	while (start < end && isEdge.test(text.charAt(start))) start += 1;
	while (end > start && isEdge.test(text.charAt(end - 1))) end -= 1;
	return text.slice(start, end);
}
