import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether n8n keeps files in its memory, as 1.x does unless told otherwise, and 2.x if told so.
 * Only stored files have an ID; this one goes with the files of the execution.
 */
export const keepsInMemory = async (
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
): Promise<boolean> =>
	await helpers.prepareBinaryData(Buffer.from('?'), 'size.txt', 'text/plain').then(
		({ id }) => id === undefined,
		() => false,
	);

/** Every n8n moves files between folders, also when it saves a run; the last part of an ID stays. */
export const lastingIdOf = (id: string): string => id.split(/[/:]/).at(-1) ?? id;
