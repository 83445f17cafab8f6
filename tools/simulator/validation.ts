import type { ZodIssue } from 'zod';
import { type GenerationRequest, modelsOf, shapeOf } from './contract';
import type { Options } from './options';
import { type Reply, errorReply } from './replies';
import type { RecordedRequest } from './requests';

/** Either the request as the contract types it, or the reply that refuses it. */
export type Checked = { request: GenerationRequest } | { refusal: Reply };

const refuse = (parts: Parameters<typeof errorReply>[1]): Checked => ({
	refusal: errorReply(400, parts),
});

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

/** Names the field, since zod reports unknown properties on the object that holds them. */
const describeIssue = ({ path, message }: ZodIssue): string =>
	path.length === 0 ? message : `${path.join('.')}: ${message}`;

/** Holds a create against docs/internals/service-contract.md, section 2.1, field by field. */
export function checkCreate(
	{ headers, json }: Pick<RecordedRequest, 'headers' | 'json'>,
	{ modelFamily }: Pick<Options, 'modelFamily'>,
): Checked {
	if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
		return refuse({ param: 'Content-Type', message: 'Content-Type must be application/json' });
	}
	if (json === undefined) {
		return refuse({ code: 'invalid_json', message: 'The request body is not valid JSON' });
	}
	const shape = shapeOf(Object(json).model, modelFamily);
	if (shape === undefined) {
		const message = `model: must be one of ${modelsOf(modelFamily).join(', ')}`;
		return refuse({ code: 'model_not_found', param: 'model', message });
	}
	const parsed = shape.safeParse(json);
	if (parsed.success) return { request: parsed.data };
	const { issues } = parsed.error;
	return refuse({ message: issues.map(describeIssue).join('; ') });
}
