import { createHash, randomUUID } from 'node:crypto';

/** The key of an order that no other process has to find. */
export const randomKey = (): string => randomUUID();

/**
 * A UUID that every process makes of the same parts, in the form of a random one (RFC 9562, version 4):
 * services that check keys know that form best.
 */
export function derivedKey(parts: unknown[]): string {
	const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
	bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
	bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
	return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * The key of the order that follows one with a derived key: whoever knows what came of the earlier one
 * finds the next.
 * @param cameTo The id of its task, which has failed; absent after a refusal that the service plays again.
 */
export const nextKey = (key: string, cameTo?: string): string =>
	derivedKey(['next', key, cameTo ?? null]);
