import type { z } from 'zod';
import { json, jsonIn, Refusal, shaped, type PlayedAnswer, type PlayedRequest } from './http';

const TOKEN = { access_token: 'ya29.simulated', token_type: 'Bearer' };

/** The data of an n8n credential for any of Google's nodes. */
export const GOOGLE_CREDENTIAL = {
	clientId: 'simulated.apps.googleusercontent.com',
	clientSecret: 'simulated-secret',
	oauthTokenData: TOKEN,
};

/** An error as Google's newer interfaces word it. */
const googleError = (code: number, reason: string, message: string): PlayedAnswer =>
	json({ error: { code, message, status: reason, errors: [{ message, reason }] } }, code);

export const refused = (code: number, reason: string, message: string): Refusal =>
	new Refusal(googleError(code, reason, message), message);
export const badRequest = (message: string): Refusal => refused(400, 'INVALID_ARGUMENT', message);
export const notFound = (message: string): Refusal => refused(404, 'notFound', message);

/** The body as JSON of this shape. @throws Refusal */
export const bodyOf = <Shape extends z.ZodTypeAny>(
	request: PlayedRequest,
	shape: Shape,
): z.infer<Shape> => shaped(jsonIn(request), shape, badRequest);

/** @throws Refusal for whoever has no token. */
export function checkToken({ headers }: PlayedRequest): void {
	if (headers.authorization === `Bearer ${TOKEN.access_token}`) return;
	throw refused(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
}
