import type { CompletedRequest } from 'mockttp';
import type { z } from 'zod';

/** A request to one of the played hosts. */
export interface PlayedRequest extends Pick<CompletedRequest, 'method' | 'headers'> {
	url: URL;
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

/** What was sent, in this shape. @throws Refusal as `refuse` words it. */
export function shaped<Shape extends z.ZodTypeAny>(
	sent: unknown,
	shape: Shape,
	refuse: (message: string) => Refusal,
): z.infer<Shape> {
	const read = shape.safeParse(sent);
	if (read.success) return read.data;
	throw refuse(`It is not as documented: ${read.error.message}`);
}

export const jsonIn = ({ body }: PlayedRequest): unknown =>
	JSON.parse(body.toString('utf8') || '{}');

/** A file that was uploaded, and the bytes in it. */
export interface PlayedFile {
	id: string;
	name: string;
	mimeType: string;
	bytes: Buffer;
}
