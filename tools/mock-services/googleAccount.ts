import { randomUUID } from 'node:crypto';
import { json, Refusal, type PlayedAnswer, type PlayedHost, type PlayedRequest } from './http';

const HOUR_SECONDS = 3_599;

/** What n8n's Google credentials are given: their first access token is out of date. */
const CLIENT = { clientId: 'played.apps.googleusercontent.com', clientSecret: 'played-secret' };
const EXPIRED_TOKEN = 'ya29.expired';

/** An error as Google's newer interfaces word it. */
export const googleError = (code: number, reason: string, message: string): PlayedAnswer =>
	json({ error: { code, message, status: reason, errors: [{ message, reason }] } }, code);

export const badRequest = (message: string): Refusal =>
	new Refusal(googleError(400, 'INVALID_ARGUMENT', message), message);
export const notFound = (message: string): Refusal =>
	new Refusal(googleError(404, 'notFound', message), message);

/** One Google account with its tokens, at `oauth2.googleapis.com`. */
export class GoogleAccount {
	private readonly valid = new Set<string>();
	/** How often each refresh token was used. */
	readonly refreshes = new Map<string, number>();

	/** The data of an n8n credential for one of Google's nodes. */
	credential(refreshToken: string) {
		const token = { access_token: EXPIRED_TOKEN, refresh_token: refreshToken, expires_in: 1 };
		this.refreshes.set(refreshToken, 0);
		return { ...CLIENT, oauthTokenData: { ...token, token_type: 'Bearer' } };
	}

	readonly tokenHost: PlayedHost = ({ method, url, body }) => {
		const form = new URLSearchParams(body.toString('utf8'));
		const refreshToken = form.get('refresh_token') ?? '';
		const count = this.refreshes.get(refreshToken);
		const isKnown =
			form.get('client_id') === CLIENT.clientId &&
			form.get('client_secret') === CLIENT.clientSecret &&
			form.get('grant_type') === 'refresh_token';
		if (method !== 'POST' || url.pathname !== '/token' || !isKnown || count === undefined) {
			throw new Refusal(json({ error: 'invalid_grant' }, 400), 'No grant of this account');
		}
		this.refreshes.set(refreshToken, count + 1);
		const token = `ya29.${randomUUID()}`;
		this.valid.add(token);
		return json({ access_token: token, expires_in: HOUR_SECONDS, token_type: 'Bearer', scope: '' });
	};

	/** An answer for whoever has no valid token; it is no complaint, since tokens expire. */
	refusalOf({ headers }: PlayedRequest): PlayedAnswer | undefined {
		const [scheme = '', token = ''] = (headers.authorization ?? '').split(' ');
		if (scheme === 'Bearer' && this.valid.has(token)) return undefined;
		return googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
	}
}
