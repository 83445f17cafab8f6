import { isJsonObject } from '../common/json';
import type { HttpAnswer } from './answer';

/** What is shorter is no secret, and cutting it out of answers would garble them. */
const MIN_LENGTH = 6;

/** As a text stands in JSON, without the quotes around it. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/**
 * What the node sends as a secret. Services that echo a request would otherwise put it into outputs and
 * messages.
 */
export class Secrets {
	/** What is put in place of each spelling of a secret. */
	private readonly substitutes = new Map<string, string>();

	constructor(apiKey: string) {
		this.add(apiKey, '[API key]');
	}

	/** The text without secrets. */
	mask(text: string): string {
		return [...this.substitutes].reduce(
			(masked, [spelling, substitute]) => masked.replaceAll(spelling, substitute),
			text,
		);
	}

	/** The body of an answer without secrets, as text and parsed. */
	maskBody(text: string, json: unknown): Pick<HttpAnswer, 'body' | 'json'> {
		// JSON can write a character in several ways, and only one when it is written again.
		const written = json !== undefined && text.includes('\\') ? JSON.stringify(json) : text;
		// Written again, a number of many digits is another one.
		if (!this.areIn(written)) return { body: this.mask(text), json };
		return { body: this.mask(written), json: this.maskJson(json) };
	}

	private add(secret: string, substitute: string): void {
		if (secret.length < MIN_LENGTH) return;
		for (const spelling of [secret, inJson(secret)]) this.substitutes.set(spelling, substitute);
	}

	private areIn(text: string): boolean {
		return [...this.substitutes.keys()].some((spelling) => text.includes(spelling));
	}

	private maskJson(value: unknown): unknown {
		if (typeof value === 'string') return this.mask(value);
		if (Array.isArray(value)) return value.map((entry) => this.maskJson(entry));
		if (!isJsonObject(value)) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, entry]) => [this.mask(name), this.maskJson(entry)]),
		);
	}
}
