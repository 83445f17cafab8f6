import type { z } from 'zod';
import { InvalidParameter, notAllowed, shown } from './invalidParameter';

/** How the editor names a property of the request, and what it allows there, as a sentence. */
export interface FieldGuide {
	label: string;
	allowed: string;
}

/**
 * Holds a request against the contract's schema, and says what is wrong in the words of the
 * editor. The request itself is returned, not a copy that the schema made.
 */
export function checkRequest<Request>(
	schema: z.ZodType<Request>,
	request: unknown,
	guides: Record<string, FieldGuide>,
): Request {
	if (fits(schema, request)) return request;
	const issue = schema.safeParse(request).error?.issues[0];
	const property = String(issue?.path[0] ?? '');
	const guide = guides[property] ?? { label: property || 'Request', allowed: '' };
	throw new InvalidParameter(guide.label, whatIsWrong(issue, request), guide.allowed);
}

const fits = <Request>(schema: z.ZodType<Request>, request: unknown): request is Request =>
	schema.safeParse(request).success;

function whatIsWrong(issue: z.ZodIssue | undefined, request: unknown): string {
	if (issue === undefined) return 'is not allowed.';
	if (issue.path.length === 0) return `${issue.message}.`;
	const given = valueAt(request, issue.path);
	const inside = issue.path.length > 1 ? `${issue.path.slice(1).join('.')} is ` : '';
	if (countsEntries(issue) && Array.isArray(given)) return `${given.length} were given.`;
	return inside ? `${inside}${shown(given)}, which is not allowed.` : notAllowed(given);
}

const countsEntries = (issue: z.ZodIssue): boolean =>
	(issue.code === 'too_big' || issue.code === 'too_small') && issue.type === 'array';

const valueAt = (root: unknown, path: Array<string | number>): unknown =>
	path.reduce<unknown>(
		(value, key) =>
			typeof value === 'object' && value !== null
				? Object.entries(value).find(([name]) => name === String(key))?.[1]
				: undefined,
		root,
	);
