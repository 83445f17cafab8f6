import type { CompletedRequest, requestSteps } from 'mockttp';
import type { z } from 'zod';

type Answer = requestSteps.CallbackResponseMessageResult;

/** A call that a played host takes, as `METHOD /path`, and its answer; the groups come along. */
export type Route = readonly [
	call: RegExp,
	answer: (request: CompletedRequest, ...groups: string[]) => Answer | Promise<Answer>,
];

/** What the true service would refuse, too. */
export class Refusal extends Error {
	constructor(
		readonly statusCode: number,
		message: string,
	) {
		super(message);
	}
}

/** The body as JSON of this shape. @throws ZodError */
export const bodyOf = async <Shape extends z.ZodTypeAny>(
	{ body }: CompletedRequest,
	shape: Shape,
): Promise<z.infer<Shape>> => shape.parse(await body.getJson());
