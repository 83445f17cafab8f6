import { z } from 'zod';

const tableSchema = z.array(z.unknown()).min(1);
const containerSchema = z.union([z.array(z.unknown()), z.record(z.unknown())]);

/**
 * Reads the "flatted" form in which n8n's REST interface gives execution data: a JSON list whose
 * first entry is the root, and in which each string inside an object or a list is the number of
 * the entry that it stands for. Repeated and circular references are kept as such.
 */
export function parseFlatted(text: string): unknown {
	const table = tableSchema.parse(JSON.parse(text));
	const restored = new Map<number, unknown>();

	const entryAt = (index: number): unknown => {
		if (restored.has(index)) return restored.get(index);
		const container = containerSchema.safeParse(table[index]);
		return container.success ? restore(index, container.data) : table[index];
	};
	const restore = (index: number, source: unknown[] | Record<string, unknown>): unknown => {
		const target: Record<string, unknown> | unknown[] = Array.isArray(source) ? [] : {};
		restored.set(index, target);
		for (const [key, value] of Object.entries(source)) {
			Reflect.set(target, key, typeof value === 'string' ? entryAt(Number(value)) : value);
		}
		return target;
	};
	return entryAt(0);
}
