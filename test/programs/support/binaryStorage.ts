import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';
import { lazily } from './lazily';

/** n8n's storage of files on the disk for a whole test file; call it once, before `useEngine`. */
export function useBinaryStorage(): BinaryStorage {
	let storage: BinaryStorage;
	beforeAll(async () => {
		storage = await BinaryStorage.start();
	});
	afterAll(async () => await storage.remove());
	return lazily(() => storage);
}

const WORKFLOW_ID = 'engine-test';

/** n8n's own storage of binary data on the disk, which is what a single server has. */
export class BinaryStorage {
	private constructor(
		readonly folder: string,
		private readonly service: BinaryDataService,
	) {}

	/** Once in a test file, before anything else uses n8n's storage; without it, files are in memory. */
	static async start(): Promise<BinaryStorage> {
		const folder = await mkdtemp(path.join(tmpdir(), 'videogen-files-'));
		process.env.N8N_USER_FOLDER = folder;
		process.env.N8N_ENCRYPTION_KEY = 'engine-test-key';
		process.env.N8N_DEFAULT_BINARY_DATA_MODE = 'filesystem';
		process.env.N8N_BINARY_DATA_STORAGE_PATH = folder;
		const service = Container.get(BinaryDataService);
		await service.init();
		return new BinaryStorage(folder, service);
	}

	async remove(): Promise<void> {
		await rm(this.folder, { recursive: true, force: true });
	}

	/** A file as an earlier node of the same execution would have stored it. */
	async put(bytes: Buffer, mimeType: string, fileName: string): Promise<IBinaryData> {
		const location = { type: 'execution', workflowId: WORKFLOW_ID, executionId: '1' } as const;
		return await this.service.store(location, bytes, { data: '', mimeType, fileName });
	}

	async read(file: IBinaryData): Promise<Buffer> {
		return await this.service.getAsBuffer(file);
	}

	/** The id of the file that a signed link opens. */
	idBehind(link: string): string {
		return this.service.validateSignedToken(new URL(link).searchParams.get('token') ?? '');
	}

	/** Lets n8n make so many links, and then fail for one. */
	failLinkAfter(count: number): void {
		const sign = this.service.createSignedToken.bind(this.service);
		const spy = jest.spyOn(this.service, 'createSignedToken');
		for (let call = 0; call < count; call += 1) spy.mockImplementationOnce(sign);
		spy.mockImplementationOnce(() => {
			throw new Error('No link could be signed');
		});
		spy.mockImplementation(sign);
	}
}
