import type { IExecuteFunctions } from 'n8n-workflow';

type Helpers = IExecuteFunctions['helpers'];

/** A stream of bytes, of the type that n8n's storage accepts. */
export type ByteStream = Exclude<Parameters<Helpers['prepareBinaryData']>[0], Buffer>;

export const isByteStream = (value: unknown): value is ByteStream =>
	typeof value === 'object' && value !== null && 'pipe' in value && 'destroy' in value;

/** Where n8n keeps files; a bucket is S3 or the like, to which n8n sends each file as a whole. */
export type Storage = 'memory' | 'database' | 'bucket' | 'disk';

/** What n8n is set to when it starts; known after the first file that it could store for this. */
let known: Storage | undefined;

/**
 * Where n8n keeps files: in its memory, as 1.x does unless told otherwise, and 2.x if told so, in its
 * database, as 2.x does in queue mode, or where else it is told to. It tells no node, but the ID of a file begins with the place.
 */
export async function storageOf(
	helpers: Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>,
): Promise<Storage> {
	known ??= await helpers.prepareBinaryData(Buffer.from('?'), 'size.txt', 'text/plain').then(
		({ id }) => placeIn(id),
		() => undefined,
	);
	return known ?? 'disk';
}

/** Only what is stored outside of the memory has an ID. */
function placeIn(id: string | undefined): Storage {
	if (id === undefined) return 'memory';
	if (id.startsWith('filesystem')) return 'disk';
	return id.startsWith('database:') ? 'database' : 'bucket';
}

/** The part of an ID that stays when n8n moves the file to another folder, as every version does. */
export const lastingIdOf = (id: string): string => id.split(/[/:]/).at(-1) ?? id;
