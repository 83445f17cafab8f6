import { z } from 'zod';

/** A request to one of the played hosts. */
export interface PlayedRequest {
	method: string;
	url: URL;
	headers: Readonly<Record<string, string>>;
	body: Buffer;
}

export interface PlayedAnswer {
	status: number;
	headers?: Record<string, string>;
	body: Buffer | string;
}

/** Answers all requests to one host. */
export type PlayedHost = (request: PlayedRequest) => PlayedAnswer | Promise<PlayedAnswer>;

export const json = (
	body: unknown,
	status = 200,
	headers: Record<string, string> = {},
): PlayedAnswer => ({
	status,
	headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
	body: JSON.stringify(body),
});

/** A request that the true service would not take: the answer goes back, the complaint is kept. */
export class Refusal extends Error {
	constructor(
		readonly answer: PlayedAnswer,
		message: string,
	) {
		super(message);
	}
}

/** The body as JSON of this shape. @throws Refusal as `refuse` words it. */
export function jsonBody<Shape extends z.ZodTypeAny>(
	{ body }: PlayedRequest,
	shape: Shape,
	refuse: (message: string) => Refusal,
): z.infer<Shape> {
	let given: unknown;
	try {
		given = JSON.parse(body.toString('utf8') || '{}');
	} catch {
		throw refuse('The body is no JSON');
	}
	const read = shape.safeParse(given);
	if (read.success) return read.data;
	throw refuse(`The body is not as documented: ${read.error.message}`);
}

/** A file that was uploaded, and the bytes in it. */
export interface PlayedFile {
	id: string;
	name: string;
	mimeType: string;
	bytes: Buffer;
}
