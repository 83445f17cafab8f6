import type { IBinaryData } from 'n8n-workflow';
import type { DownloadError } from './downloadError';

/** All results of a task as files, in their order, or why not. */
export type DownloadResult =
	| { kind: 'files'; files: IBinaryData[] }
	| { kind: 'notDownloaded'; error: DownloadError; url?: string };
