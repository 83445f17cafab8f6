import type { ResolveFile } from '../../../nodes/Videogen/files/inputs';
import { type Operation, settingsOf } from '../../../nodes/Videogen/fields/operation';
import { InvalidParameter } from '../../../nodes/Videogen/shared/messages';

/** Values with which every operation is valid. */
export const GOOD: Record<string, unknown> = {
	prompt: 'A fox',
	firstFrameUrl: 'https://e.com/first.png',
	imageUrls: 'https://e.com/a.png',
	taskId: 'task_1',
	waitForCompletion: true,
};

const noFiles: ResolveFile = async (field, name) =>
	await Promise.reject(new InvalidParameter(field, `: no file named ${name}.`, 'Give one.'));

/** What an operation makes of these values, in place of those that are good. */
export async function planned(operation: Operation, values: Record<string, unknown>) {
	const given: Record<string, unknown> = { ...GOOD, ...values };
	const parameters = {
		get: (name: string) => given[name] ?? null,
		written: {},
		evaluate: () => undefined,
	};
	const intent = await operation.intent(parameters, noFiles, 'videogen-2.5');
	return { intent, ...settingsOf(operation, parameters) };
}

/** The request that a create operation makes of these values. */
export async function requestOf(operation: Operation, values: Record<string, unknown>) {
	const { intent } = await planned(operation, values);
	if ('request' in intent) return intent.request;
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
