import type { IExecuteFunctions } from 'n8n-workflow';

/** What n8n is set to when it starts; known after the first file that it could store for this. */
let isMemory: boolean | undefined;

/**
 * Whether n8n keeps files in its memory, as 1.x does unless told otherwise, and 2.x if told so. It
 * tells no node, but only what it stores elsewhere has an ID.
 */
export async function keepsInMemory(
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
): Promise<boolean> {
	isMemory ??= await helpers.prepareBinaryData(Buffer.from('?'), 'size.txt', 'text/plain').then(
		({ id }) => id === undefined,
		() => undefined,
	);
	return isMemory ?? false;
}

/** The part of an ID that stays when n8n moves the file to another folder, as every version does. */
export const lastingIdOf = (id: string): string => id.split(/[/:]/).at(-1) ?? id;
