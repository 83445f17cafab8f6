import { isJsonObject, parseJson } from '../shared/json';
import type { HttpAnswer } from './types';

/** Anything shorter is no secret, and masking it would garble answers. */
const MIN_LENGTH = 6;

/** A text as it appears in JSON, without the quotes around it. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A text in base64 and base64url, without padding. */
const inBase64 = (text: string): string[] =>
	(['base64', 'base64url'] as const).map((form) =>
		Buffer.from(text).toString(form).replaceAll('=', ''),
	);

/** How long a link to an n8n file works: long enough for a full queue at the service. */
export const LINK_LIFETIME_HOURS = 6;

/** The start of a JSON object in base64. */
const TOKEN_BEGINNING = 'eyJ';

/**
 * A whole word that could be a token. Percent escapes match on their own, so that one in front of a
 * token does not become part of it.
 */
const WORDS = /%[\da-f]{2}|[\w-]+(?:\.[\w-]+)*/gi;

/** An image inside a request, with or without JSON escapes. Every image is longer than this. */
const INLINE_IMAGE = /data:image(?:\\?\/)[\w.+-]+;base64,(?:\\?[\w+/=-]){50,}/g;
const INLINE_BEGINNING = 'data:image';

/**
 * Masks the secrets that the node sends. Services that echo a request would otherwise expose them
 * in outputs and messages.
 */
export class Secrets {
	/** The API key in every spelling. */
	private readonly keys: string[];

	constructor(apiKey: string) {
		const spellings = [apiKey, inJson(apiKey), encodeURIComponent(apiKey)];
		const encoded = [apiKey, `Bearer ${apiKey}`].flatMap(inBase64);
		this.keys = apiKey.length < MIN_LENGTH ? [] : [...new Set([...spellings, ...encoded])];
	}

	mask(text: string): string {
		const withoutImages = text.includes(INLINE_BEGINNING)
			? text.replace(INLINE_IMAGE, '[image]')
			: text;
		const masked = this.keys.reduce(
			(rest, spelling) => rest.replaceAll(spelling, '[API key]'),
			withoutImages,
		);
		// Checking every word takes ten times as long, and hardly any answer contains a token.
		if (!masked.includes(TOKEN_BEGINNING)) return masked;
		return masked.replace(WORDS, (word) => (opensFile(word) ? '[token]' : word));
	}

	/** The body of an answer without secrets, as text and as parsed JSON. */
	maskBody(text: string, json: unknown): Pick<HttpAnswer, 'body' | 'json'> {
		// JSON can spell a character in several ways, but `stringify` always picks the same one.
		const written = json !== undefined && text.includes('\\') ? JSON.stringify(json) : text;
		const masked = this.mask(written);
		// If nothing was masked, keep the original: `stringify` changes numbers with many digits.
		return masked === written ? { body: text, json } : { body: masked, json: parseJson(masked) };
	}
}

/**
 * Whether a word is the token of a link to an n8n file: a JSON Web Token (RFC 7519) that names a
 * file and has the lifetime of this node's links.
 */
function opensFile(word: string): boolean {
	if (!word.startsWith(TOKEN_BEGINNING)) return false;
	const claims = parseJson(Buffer.from(word.split('.')[1] ?? '', 'base64url').toString());
	if (!isJsonObject(claims)) return false;
	const { id, iat, exp } = claims;
	return typeof id === 'string' && Number(exp) - Number(iat) === LINK_LIFETIME_HOURS * 3_600;
}
