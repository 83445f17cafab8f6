import { isJsonObject, parseJson } from '../shared/json';
import type { HttpAnswer } from './answer';

/** What is shorter is no secret, and cutting it out of answers would garble them. */
const MIN_LENGTH = 6;

/** As a text stands in JSON, without the quotes around it. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Without the signs that only fill up the last group. */
const inBase64 = (text: string): string[] =>
	(['base64', 'base64url'] as const).map((form) =>
		Buffer.from(text).toString(form).replaceAll('=', ''),
	);

/** How long a link to a file of n8n opens it: long enough for a full queue at the service. */
export const LINK_LIFETIME_HOURS = 6;

/** A JSON object in base64. */
const TOKEN_BEGINNING = 'eyJ';

/** A word as tokens are, not a part of one; behind it, what stands before one in a URL. */
const WORDS = /%[\da-f]{2}|[\w-]+(?:\.[\w-]+)*/gi;

/** An image inside a request, in JSON or out of it; the shortest image is longer. */
const INLINE_IMAGE = /data:image(?:\\?\/)[\w.+-]+;base64,(?:\\?[\w+/=-]){50,}/g;
const INLINE_BEGINNING = 'data:image';

/**
 * What the node sends as a secret. Services that echo a request would otherwise put it into outputs and
 * messages.
 */
export class Secrets {
	/** Every spelling of the API key. */
	private readonly keys: string[];

	constructor(apiKey: string) {
		const spellings = [apiKey, inJson(apiKey), encodeURIComponent(apiKey)];
		const encoded = [apiKey, `Bearer ${apiKey}`].flatMap(inBase64);
		this.keys = apiKey.length < MIN_LENGTH ? [] : [...new Set([...spellings, ...encoded])];
	}

	/** The text without secrets. */
	mask(text: string): string {
		const withoutImages = text.includes(INLINE_BEGINNING)
			? text.replace(INLINE_IMAGE, '[image]')
			: text;
		const masked = this.keys.reduce(
			(rest, spelling) => rest.replaceAll(spelling, '[API key]'),
			withoutImages,
		);
		// To look at every word takes ten times as long, and nearly no answer has one.
		if (!masked.includes(TOKEN_BEGINNING)) return masked;
		return masked.replace(WORDS, (word) => (opensFile(word) ? '[token]' : word));
	}

	/** The body of an answer without secrets, as text and parsed. */
	maskBody(text: string, json: unknown): Pick<HttpAnswer, 'body' | 'json'> {
		// JSON can write a character in several ways, and only one when it is written again.
		const written = json !== undefined && text.includes('\\') ? JSON.stringify(json) : text;
		const masked = this.mask(written);
		// Written again, a number of many digits is another one.
		return masked === written ? { body: text, json } : { body: masked, json: parseJson(masked) };
	}
}

/**
 * Whether a word is the token of a link to a file of n8n: a JSON Web Token (RFC 7519) that says which
 * file, and that it lives for as long as the links of this node.
 */
function opensFile(word: string): boolean {
	if (!word.startsWith(TOKEN_BEGINNING)) return false;
	const claims = parseJson(Buffer.from(word.split('.')[1] ?? '', 'base64url').toString());
	if (!isJsonObject(claims)) return false;
	const { id, iat, exp } = claims;
	return typeof id === 'string' && Number(exp) - Number(iat) === LINK_LIFETIME_HOURS * 3_600;
}
