import { parseHttpUrl } from '../ground/url';

/**
 * Pages that show a file, by their host, path and query: a service that opens one gets HTML. With
 * each, n8n's node that gets the file.
 */
const PAGES: Array<[page: RegExp, node: string]> = [
	[
		/^(?:drive|docs)\.google\.com\/(?!download|thumbnail)(?!.*(?:[?&]export=download|\/export\b|\/pub\b))/,
		'Google Drive',
	],
	[/^(?:1drv\.ms|onedrive\.live\.com)\/(?!download|.*[?&]download=1)/, 'Microsoft OneDrive'],
	[/^[^/]*\.sharepoint\.com\/:\w:\/(?!.*[?&]download=1)/, 'Microsoft SharePoint'],
	[/^(?:www\.)?dropbox\.com\/(?!.*[?&](?:dl|raw)=1)/, 'Dropbox'],
];

/** A link to a file, not to a folder. */
const DROPBOX_FILE = /^(?:www\.)?dropbox\.com\/(?:s|scl\/fi)\//;

const placeOf = ({ hostname, pathname, search }: URL): string => `${hostname}${pathname}${search}`;

/** The node that gets the file of which the URL opens a page; `undefined` for other URLs. */
export function nodeForPage(text: string): string | undefined {
	const url = parseHttpUrl(text);
	return url && PAGES.find(([page]) => page.test(placeOf(url)))?.[1];
}

/** The same URL, or that of the file itself where Dropbox would show a page. */
export function fileUrlOf(text: string): string {
	const url = parseHttpUrl(text);
	if (!url || !DROPBOX_FILE.test(placeOf(url)) || nodeForPage(text) === undefined) return text;
	url.searchParams.delete('dl');
	url.searchParams.set('raw', '1');
	return url.href;
}
