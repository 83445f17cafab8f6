import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Refusal, type Route } from './http';
import { resumableUploads, type Uploaded } from './resumableUploads';

const metadataSchema = z.object({ name: z.string().min(1), parents: z.tuple([z.string()]) });

/** A file in a folder. */
interface DriveFile extends Uploaded {
	id: string;
	name: string;
	parent: string;
}

/** The address of a folder, as a person copies it from the browser. */
export const folderLink = (id: string): string => `https://drive.google.com/drive/folders/${id}`;

/** Google Drive, at `www.googleapis.com`: the part that n8n's node uses. */
export class Drive {
	files: DriveFile[] = [];

	/** @param folders Made by hand; each knows its files by their parent. */
	constructor(private readonly folders: readonly string[]) {}

	/** Puts a file there by hand. */
	add(file: Omit<DriveFile, 'id'>): DriveFile {
		const added = { id: `drive-${randomUUID()}`, ...file };
		this.files.push(added);
		return added;
	}

	readonly routes: Route[] = [
		...resumableUploads(
			'/upload/drive/v3/files',
			metadataSchema,
			({ parents: [parent] }) => this.checkFolder(parent),
			({ name, parents: [parent] }, file) => recordOf(this.add({ name, parent, ...file })),
		),
		// n8n moves what it has uploaded to where it is.
		[/^PATCH \/drive\/v3\/files\/([^/]+)$/, (_, id) => ({ json: recordOf(this.find(id)) })],
		[/^GET \/drive\/v3\/files$/, ({ url }) => ({ json: { files: this.search(url) } })],
		[
			/^GET \/drive\/v3\/files\/([^/]+)$/,
			({ url }, id) => {
				const file = this.find(id);
				return url.includes('alt=media') ? { body: file.bytes } : { json: recordOf(file) };
			},
		],
	];

	private checkFolder(id: string): void {
		if (!this.folders.includes(id)) throw new Refusal(404, `File not found: ${id}.`);
	}

	private find(id: string): DriveFile {
		const found = this.files.find((file) => file.id === id);
		if (found === undefined) throw new Refusal(404, `File not found: ${id}.`);
		return found;
	}

	/** By folder alone; Drive itself knows a language of queries. */
	private search(url: string) {
		const query = new URL(url).searchParams.get('q') ?? '';
		const [, folder = ''] = /'([^']+)' in parents/.exec(query) ?? [];
		this.checkFolder(folder);
		return this.files.filter(({ parent }) => parent === folder).map(recordOf);
	}
}

const recordOf = ({ id, name, mimeType, parent }: DriveFile) => ({
	id,
	name,
	mimeType,
	parents: [parent],
	webViewLink: `https://drive.google.com/file/d/${id}/view?usp=drivesdk`,
});
