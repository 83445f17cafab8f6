/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

const PLACE = { type: 'execution', workflowId: 'engine-test', executionId: '1' } as const;

/**
 * n8n's own storage of files on the disk, which is what a single server has, for a whole test file;
 * call it once, before `useEngine`. Without it, files are in memory.
 */
export function useBinaryStorage() {
	let folder: string;
	let service: BinaryDataService;
	let settings: NodeJS.ProcessEnv = {};
	const before = { ...process.env };
	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'videogen-files-'));
		settings = {
			N8N_USER_FOLDER: folder,
			N8N_ENCRYPTION_KEY: 'engine-test-key',
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			N8N_BINARY_DATA_STORAGE_PATH: folder,
		};
		Object.assign(process.env, settings);
		// What other test files have made goes by their settings, and what is made now by these.
		Container.reset();
		service = Container.get(BinaryDataService);
		await service.init();
	});
	afterAll(async () => {
		for (const name of Object.keys(settings)) Reflect.deleteProperty(process.env, name);
		Object.assign(process.env, before);
		Container.reset();
		await rm(folder, { recursive: true, force: true });
	});

	return {
		/** A file as an earlier node of the same execution would have stored it. */
		put: async (bytes: Buffer, mimeType: string, fileName: string) =>
			await service.store(PLACE, bytes, { data: '', mimeType, fileName }),

		read: async (file: IBinaryData): Promise<Buffer> => await service.getAsBuffer(file),

		/** The id of the file that a signed link opens. */
		idBehind: (link: string): string =>
			service.validateSignedToken(new URL(link).searchParams.get('token') ?? ''),
	};
}
