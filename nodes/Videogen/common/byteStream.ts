import type { IExecuteFunctions } from 'n8n-workflow';

type Helpers = IExecuteFunctions['helpers'];

/** A stream of bytes, of the type that n8n's storage accepts. */
export type ByteStream = Exclude<Parameters<Helpers['prepareBinaryData']>[0], Buffer>;

export const isByteStream = (value: unknown): value is ByteStream =>
	typeof value === 'object' && value !== null && 'pipe' in value && 'destroy' in value;
