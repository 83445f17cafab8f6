import type { IDataObject } from 'n8n-workflow';
import { isJsonObject, parseJson } from '../shared/json';
import type { HttpAnswer } from './types';

/** Anything shorter is no secret, and masking it would garble answers. */
const MIN_LENGTH = 6;

const KEY_MASK = '[API key]';

/** A text as it appears in JSON, without the quotes around it. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Base64 and base64url, without padding. */
const inBase64 = (bytes: Buffer): string[] =>
	(['base64', 'base64url'] as const).map((form) => bytes.toString(form).replaceAll('=', ''));

/** How many bytes may stand before others in base64, and how many characters depend on these. */
const SHARED = [
	{ before: 0, characters: 0 },
	{ before: 1, characters: 2 },
	{ before: 2, characters: 3 },
];

/** The part of these bytes in base64 that stays the same whatever stands around them. */
const insideBase64 = (bytes: Buffer): string[] =>
	SHARED.flatMap(({ before, characters }) => {
		const moved = Buffer.concat([Buffer.alloc(before), bytes]);
		const end = Math.floor((moved.length * 4) / 3);
		return inBase64(moved).map((encoded) => encoded.slice(characters, end));
	});

/** One byte, as it is or percent-encoded, up to three times over. */
function byteInPercent(byte: number): string {
	const character = String.fromCharCode(byte);
	const hex = byte.toString(16).padStart(2, '0');
	const digits = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const escaped = `%(?:25){0,2}${digits}`;
	return `(?:${/\w/.test(character) ? character : `\\${character}`}|${escaped})`;
}

/** How long a link to an n8n file works: long enough for a full queue at the service. */
export const LINK_LIFETIME_HOURS = 6;

/** The start of a JSON object in base64. */
const TOKEN_BEGINNING = 'eyJ';

/**
 * The claims of a token between its head and its signature. Like every pattern that is applied to
 * an answer, it is bounded: V8 takes minutes for others, or overflows its stack.
 */
const CLAIMS = /\.(eyJ[\w-]{37,2000})(?=\.)/g;
const IN_TOKEN = /[\w-]/;
const SIGNATURE = /\.[\w-]*/y;

/** An image inside a request, with or without JSON escapes. Every image is longer than this. */
const INLINE_IMAGE = /data:image[\\/]{1,4}[\w.+-]{1,60};base64,[\w+/=\\-]*/g;
const INLINE_BEGINNING = 'data:image';
const MIN_IMAGE_CHARACTERS = 72;

/**
 * Masks the secrets that the node sends. Services that echo a request would otherwise expose them
 * in outputs and messages.
 */
export class Secrets {
	/** The API key in other spellings. */
	private readonly keys: string[] = [];

	/** The API key in hex, and percent-encoded in whole or in part. */
	private readonly patterns: RegExp[] = [];

	constructor(apiKey: string) {
		if (apiKey.length < MIN_LENGTH) return;
		const bytes = Buffer.from(apiKey);
		const encoded = [bytes, Buffer.from(`Bearer ${apiKey}`)].flatMap(inBase64);
		this.keys = [...new Set([apiKey, inJson(apiKey), ...encoded, ...insideBase64(bytes)])];
		const percent = Array.from(bytes, byteInPercent).join('');
		this.patterns = [new RegExp(bytes.toString('hex'), 'gi'), new RegExp(percent, 'g')];
	}

	mask(text: string): string {
		const withoutImages = text.includes(INLINE_BEGINNING)
			? text.replace(INLINE_IMAGE, maskedImage)
			: text;
		const spelled = this.keys.reduce(
			(rest, spelling) => rest.replaceAll(spelling, KEY_MASK),
			withoutImages,
		);
		const masked = this.patterns.reduce((rest, one) => rest.replace(one, KEY_MASK), spelled);
		return withoutTokens(masked);
	}

	/**
	 * The body of an answer without secrets, as text and as parsed JSON. If that fails, the text is
	 * hidden, but the ID of the task is kept.
	 */
	maskBody(text: string, json: unknown): Pick<HttpAnswer, 'body' | 'json'> {
		try {
			return this.masked(text, json);
		} catch {
			return { body: '[hidden]', json: this.shortPartsOf(json) };
		}
	}

	private masked(text: string, json: unknown): Pick<HttpAnswer, 'body' | 'json'> {
		// JSON can spell a character in several ways, but `stringify` always picks the same one.
		const written = json !== undefined && text.includes('\\') ? JSON.stringify(json) : text;
		const masked = this.mask(written);
		// If nothing was masked, keep the original: `stringify` changes numbers with many digits.
		return masked === written ? { body: text, json } : { body: masked, json: parseJson(masked) };
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

const MAX_SHORT_CHARACTERS = 300;

/** The mask of an image, and what belongs to the JSON around it. */
function maskedImage(image: string): string {
	let end = image.length;
	while (image.charAt(end - 1) === '\\') end -= 1;
	return end < MIN_IMAGE_CHARACTERS ? image : `[image]${image.slice(end)}`;
}

/**
 * Masks the tokens of links to n8n's files: JSON Web Tokens (RFC 7519) that name a file and have the
 * lifetime of this node's links.
 */
function withoutTokens(text: string): string {
	let masked = '';
	let doneTo = 0;
	for (const { index, 1: claims = '' } of text.matchAll(CLAIMS)) {
		if (!opensFile(claims)) continue;
		let start = index;
		while (start > doneTo && IN_TOKEN.test(text.charAt(start - 1))) start -= 1;
		// Anything may stand directly before a token.
		const head = text.slice(start, index).indexOf(TOKEN_BEGINNING);
		masked += `${text.slice(doneTo, head < 0 ? index : start + head)}[token]`;
		SIGNATURE.lastIndex = index + 1 + claims.length;
		doneTo = SIGNATURE.lastIndex + (SIGNATURE.exec(text)?.[0].length ?? 0);
	}
	return `${masked}${text.slice(doneTo)}`;
}

const NAMES_FILE = /"id":"/;
const ISSUED_AT = /"iat":(\d{1,15})/;
const EXPIRES_AT = /"exp":(\d{1,15})/;

/** Does not parse the claims, because failing to would take long, as often as it may happen. */
function opensFile(encoded: string): boolean {
	const claims = Buffer.from(encoded, 'base64url').toString();
	const lifetime = Number(EXPIRES_AT.exec(claims)?.[1]) - Number(ISSUED_AT.exec(claims)?.[1]);
	return NAMES_FILE.test(claims) && lifetime === LINK_LIFETIME_HOURS * 3_600;
}
