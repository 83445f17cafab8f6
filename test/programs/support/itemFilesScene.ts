import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';
import { fileResolver, type ResolveFile } from '../../../nodes/Videogen/files/inputFiles';
import { InvalidParameter } from '../../../nodes/Videogen/ground/words';
import type { Operation, PlannedCreate } from '../../../nodes/Videogen/fields/operation';

/** A file as n8n's filesystem mode keeps it. */
export const fileOf = (mimeType: string, more: Partial<IBinaryData> = {}): IBinaryData => ({
	data: 'filesystem-v2',
	mimeType,
	id: `filesystem-v2:workflows/1/executions/temp/binary_data/${mimeType.replace('/', '-')}`,
	...more,
});

/**
 * The binary fields of the second of two input items; every link to a file is another one.
 * @param n8nUrl From which the links are made.
 */
export function itemFilesWith(
	binary: IBinaryKeyData | undefined,
	n8nUrl = 'https://n8n.example.com',
): ResolveFile {
	const items = [
		{ json: {}, binary: { ofFirst: fileOf('image/png') } },
		{ json: {}, binary },
	];
	let links = 0;
	return fileResolver(
		{
			getInputData: () => items,
			helpers: {
				getBinaryStream: async () => await Promise.reject(new Error('Not part of this')),
				createBinarySignedUrl({ id }, expiresIn) {
					links += 1;
					return `${n8nUrl}/rest/binary-data/signed?token=${id}.${String(expiresIn)}.${links}`;
				},
			},
		},
		1,
		'https://api.example.com',
	);
}

/** What an operation plans for these parameters. */
export async function planWith(
	operation: Operation,
	parameters: Record<string, unknown>,
	resolveFile: ResolveFile,
): Promise<PlannedCreate> {
	const given: Record<string, unknown> = {
		prompt: 'A fox',
		duration: 5,
		quality: '720p',
		aspectRatio: 'adaptive',
		...parameters,
	};
	const parametersOfItem = { get: (name: string) => given[name] ?? null };
	const intent = await operation.intent(parametersOfItem, resolveFile, 'videogen-2.5');
	if ('request' in intent) return intent;
	throw new Error('It creates nothing');
}

/** What is wrong with values that must be refused. */
export function refusalOf(use: () => unknown): InvalidParameter {
	try {
		use();
	} catch (thrown) {
		if (thrown instanceof InvalidParameter) return thrown;
		throw thrown;
	}
	throw new Error('It was accepted');
}

/** The same for a plan. */
export async function refusalOfPlan(plan: Promise<unknown>): Promise<InvalidParameter> {
	const thrown: unknown = await plan.then(
		() => new Error('It was accepted'),
		(reason: unknown) => reason,
	);
	if (thrown instanceof InvalidParameter) return thrown;
	throw thrown;
}
