import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, parseJson } from '../shared/json';
import type { HttpAnswer } from './types';

/** Anything shorter is no secret, and masking it would garble answers. */
const MIN_LENGTH = 6;

/**
 * The parts of these bytes in base64 and base64url that stay the same whatever stands around them:
 * up to two bytes before them change their first characters.
 */
const insideBase64 = (bytes: Buffer): string[] =>
	[0, 1, 2].flatMap((before) => {
		const moved = Buffer.concat([Buffer.alloc(before), bytes]);
		const start = Math.ceil((before * 4) / 3);
		const end = Math.floor((moved.length * 4) / 3);
		return [moved.toString('base64'), moved.toString('base64url')].map((encoded) =>
			encoded.slice(start, end),
		);
	});

/** One character as it is, escaped in JSON, or percent-encoded, up to three times over. */
function spellingsOf(character: string): string {
	const percent = Buffer.from(character).toString('hex').replace(/../g, '%(?:25){0,2}$&');
	return `(?:\\\\?${character.replace(/\W/, '\\$&')}|${percent})`;
}

/** How long a link to an n8n file works: long enough for a full queue at the service. */
export const LINK_LIFETIME_HOURS = 6;

/**
 * A token of a link to an n8n file (RFC 7519): its head, which always has this length, its claims
 * and its signature. Like every pattern that is applied to an answer, it is bounded or repeats a
 * single class: V8 takes minutes for others, or overflows its stack.
 */
const TOKEN = /(?:eyJ[\w-]{33})?\.(eyJ[\w-]{37,2000})\.[\w-]*/g;

/** An image inside a request, with or without JSON escapes, but not those that follow it. */
const INLINE_IMAGE = /data:image[\\/]{1,4}[\w.+-]{1,60};base64,[\w+/=\\-]*(?<!\\)/g;

const MAX_SHORT_CHARACTERS = 300;

/**
 * Masks the secrets that the node sends. Services that echo a request would otherwise expose them
 * in outputs and messages.
 */
export class Secrets {
	/** The API key in all its spellings. */
	private readonly key?: RegExp;

	constructor(apiKey: string) {
		if (apiKey.length < MIN_LENGTH) return;
		const bytes = Buffer.from(apiKey);
		const spelled = Array.from(apiKey, spellingsOf).join('');
		const inBase64 = insideBase64(bytes).join('|').replaceAll('+', '\\+');
		// The next character of base64 may hold the end of the key, too.
		const all = `${spelled}|${bytes.toString('hex')}|(?:${inBase64})[\\w+/-]?`;
		this.key = new RegExp(all, 'gi');
	}

	mask(text: string): string {
		const masked = text
			.replace(INLINE_IMAGE, '[image]')
			.replace(TOKEN, (token, claims: string) => (opensFile(claims) ? '[token]' : token));
		return this.key ? masked.replace(this.key, '[API key]') : masked;
	}

	/**
	 * The body of an answer without secrets, as text and as parsed JSON. If that fails, the text is
	 * hidden, but the ID of the task is kept.
	 */
	maskBody(text: string, json: unknown): Pick<HttpAnswer, 'body' | 'json'> {
		try {
			// JSON can spell a character in several ways, but `stringify` always picks the same one.
			const written = json !== undefined && text.includes('\\') ? JSON.stringify(json) : text;
			const masked = this.mask(written);
			// If nothing was masked, keep the original: `stringify` changes numbers with many digits.
			return masked === written ? { body: text, json } : { body: masked, json: parseJson(masked) };
		} catch {
			return { body: '[hidden]', json: this.shortPartsOf(json) };
		}
	}

	/** The short texts of an answer and of the objects in it, such as IDs and statuses. */
	private shortPartsOf(json: unknown, depth = 0): IDataObject | undefined {
		if (!isJsonObject(json) || depth > 1) return undefined;
		const entries = Object.entries(json).map(([name, value]) => [
			name,
			typeof value === 'string' && value.length <= MAX_SHORT_CHARACTERS
				? this.mask(value)
				: this.shortPartsOf(value, depth + 1),
		]);
		return Object.fromEntries(entries);
	}
}

const NAMES_FILE = /"id":"/;
const ISSUED_AT = /"iat":(\d{1,15})/;
const EXPIRES_AT = /"exp":(\d{1,15})/;

/**
 * Whether claims name a file and have the lifetime of this node's links. Does not parse them,
 * because failing to would take long, as often as it may happen.
 */
function opensFile(encoded: string): boolean {
	const claims = Buffer.from(encoded, 'base64url').toString();
	const lifetime = Number(EXPIRES_AT.exec(claims)?.[1]) - Number(ISSUED_AT.exec(claims)?.[1]);
	return NAMES_FILE.test(claims) && lifetime === LINK_LIFETIME_HOURS * 3_600;
}
