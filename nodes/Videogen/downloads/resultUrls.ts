import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../common/json';

/** How long services of this kind keep results; the contract does not say. */
export const RESULT_LINK_LIFETIME = 'about a day';

/**
 * The URLs in a record's `results` (service-spec.md, 2.2: a list of them). Objects with a
 * `url` and a lone URL, which other services send, are understood too.
 */
export function resultUrls(record: IDataObject): string[] {
	const { results } = record;
	const entries: unknown[] = Array.isArray(results) ? results : [results];
	return entries.map(urlIn).filter((url) => url !== '');
}

function urlIn(entry: unknown): string {
	const url = isJsonObject(entry) ? entry.url : entry;
	return typeof url === 'string' ? url.trim() : '';
}
