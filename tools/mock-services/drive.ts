import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { badRequest, bodyOf, checkToken, notFound } from './google';
import { json, type PlayedAnswer, type PlayedFile, type PlayedHost } from './http';
import { ResumableUploads } from './resumableUploads';

const metadataSchema = z.object({
	name: z.string().min(1),
	parents: z.array(z.string()).length(1),
});

/** A file in a folder. */
export interface DriveFile extends PlayedFile {
	parent: string;
}

/** The address of a folder, as a person copies it from the browser. */
export const folderLink = (id: string): string => `https://drive.google.com/drive/folders/${id}`;

/** Google Drive, at `www.googleapis.com`: the part that n8n's node uses. */
export class Drive {
	/** Folders are made by hand; each knows its files by their parent. */
	readonly folders = new Set<string>();
	files: DriveFile[] = [];
	private readonly uploads = new ResumableUploads<z.infer<typeof metadataSchema>>();

	/** Puts a file there by hand. */
	add(file: Omit<DriveFile, 'id'>): DriveFile {
		const added = { id: `drive-${randomUUID()}`, ...file };
		this.files.push(added);
		return added;
	}

	readonly host: PlayedHost = (request) => {
		const { method, url } = request;
		const upload = url.pathname === '/upload/drive/v3/files';
		if (upload && method === 'PUT') {
			const { metadata, ...file } = this.uploads.finish(request);
			const [parent = ''] = metadata.parents;
			return json(recordOf(this.add({ ...file, name: metadata.name, parent })));
		}
		checkToken(request);
		if (upload && method === 'POST') {
			if (url.searchParams.get('uploadType') !== 'resumable') throw badRequest('Not played');
			const metadata = bodyOf(request, metadataSchema);
			this.checkFolder(metadata.parents[0]);
			return this.uploads.start(request, metadata);
		}
		const [, id] = /^\/drive\/v3\/files\/([^/]+)$/.exec(url.pathname) ?? [];
		if (method === 'GET' && url.pathname === '/drive/v3/files') return this.search(url);
		if (method === 'GET' && id) return this.get(id, url);
		if (method === 'PATCH' && id) {
			this.checkFolder(url.searchParams.get('addParents') ?? undefined);
			return json(recordOf(this.find(id)));
		}
		throw badRequest(`Not played: ${method} ${url.pathname}`);
	};

	private checkFolder(id = ''): void {
		if (!this.folders.has(id)) throw notFound(`File not found: ${id}.`);
	}

	private find(id: string): DriveFile {
		const found = this.files.find((file) => file.id === id);
		if (found === undefined) throw notFound(`File not found: ${id}.`);
		return found;
	}

	/** By folder alone; Drive itself knows a language of queries. */
	private search(url: URL): PlayedAnswer {
		const query = url.searchParams.get('q') ?? '';
		const [, folder] = /'([^']+)' in parents/.exec(query) ?? [];
		this.checkFolder(folder);
		const wanted = [...query.matchAll(/mimeType = '([^']+)'/g)].map(([, type]) => type);
		const files = this.files.filter(
			({ parent, mimeType }) =>
				parent === folder && (wanted.length === 0 || wanted.includes(mimeType)),
		);
		return json({ files: files.map(recordOf) });
	}

	private get(id: string, url: URL): PlayedAnswer {
		const file = this.find(id);
		if (url.searchParams.get('alt') !== 'media') return json(recordOf(file));
		return { status: 200, headers: { 'content-type': file.mimeType }, body: file.bytes };
	}
}

const recordOf = ({ id, name, mimeType, parent }: DriveFile) => ({
	...{ kind: 'drive#file', id, name, mimeType, parents: [parent] },
	webViewLink: `https://drive.google.com/file/d/${id}/view?usp=drivesdk`,
});
