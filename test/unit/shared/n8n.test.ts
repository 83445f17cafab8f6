/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { SsrfBlockedHostnameError, SsrfBlockedIpError } from '@n8n/backend-network';
import { FileNotFoundError } from 'n8n-core/dist/errors/file-not-found.error';
import { FileTooLargeError } from 'n8n-core/dist/errors/file-too-large.error';
import type { IBinaryData } from 'n8n-workflow';
import type * as n8n from '../../../nodes/Videogen/shared/n8n';
import {
	errorsIn,
	isBlockedByN8n,
	isFileMissing,
	isTooLargeForN8n,
	lastingIdOf,
	continuesOnError,
	endedBy,
	executionIdOf,
	isForMcpClient,
	isTool,
	runIndexOf,
} from '../../../nodes/Videogen/shared/n8n';

test('a request ends by its own signal; everything else is that of the context', () => {
	const [own, ofExecution] = [new AbortController().signal, new AbortController().signal];
	const context = { getExecutionCancelSignal: () => ofExecution, helpers: {} };
	const proxy = endedBy(own, context);
	expect(proxy.getExecutionCancelSignal()).toBe(own);
	expect(proxy.helpers).toBe(context.helpers);
	expect('helpers' in proxy && !('others' in proxy)).toBe(true);
	expect('getExecutionCancelSignal' in endedBy(own, {})).toBe(true);
});

test('the run of a node is the one that n8n tells, or the first', () => {
	const runIn = (proxy: object) =>
		runIndexOf(Object.assign(Object.create(null), { getWorkflowDataProxy: () => proxy }));
	expect([runIn({ $runIndex: 2 }), runIn({})]).toEqual([2, 0]);
});

test.each<[string, boolean, id: string | undefined, parent: string | undefined]>([
	['in no execution', true, undefined, undefined],
	['in an execution of its own', false, '7', undefined],
	['in that of an MCP trigger', true, '7', '@n8n/n8n-nodes-langchain.mcpTrigger'],
	['in that of an agent', false, '7', '@n8n/n8n-nodes-langchain.agent'],
])('a tool that runs %s is for an MCP client: %s', (_where, isFor, id, parent) => {
	// Its type says that there always is an ID.
	const context = { getExecutionId: (): string => Object({ id }).id };
	const more = parent === undefined ? {} : { parentNode: { type: parent } };
	expect(executionIdOf(context)).toBe(id);
	expect(isForMcpClient({ ...context, ...more })).toBe(isFor);
});

test.each([
	['videogen', false, false],
	['videogen', true, true],
	['videogenTool', false, true],
	['videogenToolbox', false, false],
])('an error in a %s, set to continue %s, goes out as an item: %s', (type, isSet, expected) => {
	const context = { getNode: () => ({ type }), continueOnFail: () => isSet };
	expect(isTool(context)).toBe(type === 'videogenTool');
	expect(continuesOnError(context)).toBe(expected);
});

/** n8n's own, as 2.41.1 throws them. */
const BLOCKED = [new SsrfBlockedIpError('127.0.0.1'), new SsrfBlockedHostnameError('localhost')];
const TOO_LARGE = new FileTooLargeError({ fileSizeMb: 2, maxFileSizeMb: 1, fileId: '7' });
const MISSING = new FileNotFoundError('7');

test('what n8n throws is known by its class, by itself or wrapped on its way', () => {
	const bare: object = Object.create(null);
	const all = [...BLOCKED, TOO_LARGE, MISSING, new Error('No'), bare];
	expect(all.map(isBlockedByN8n)).toEqual([true, true, ...Array<boolean>(4).fill(false)]);
	expect(all.filter(isTooLargeForN8n)).toEqual([TOO_LARGE]);
	expect(all.filter(isFileMissing)).toEqual([MISSING]);
	const wrapped = new Error('outer', { cause: TOO_LARGE });
	expect(errorsIn(wrapped)).toEqual([wrapped, TOO_LARGE]);
});

const stored = { data: 'filesystem-v2', mimeType: 'text/plain', id: 'filesystem-v2:1' };

/** As it is when n8n starts: what is learned once stays. */
function afterStart(): typeof n8n {
	jest.resetModules();
	return jest.requireActual('../../../nodes/Videogen/shared/n8n');
}

test.each<[stored: IBinaryData, isOnDisk: boolean]>([
	[{ data: 'Pw==', mimeType: 'text/plain' }, false],
	[{ ...stored, id: 'database:7' }, false],
	[{ ...stored, id: 's3:filesystem-v2:7' }, false],
	[stored, true],
])(
	'where n8n stores %j, it keeps files on disk: %s, learned by one file',
	async (file, isOnDisk) => {
		const { storesOnDisk } = afterStart();
		const prepareBinaryData = jest.fn(async () => await Promise.resolve(file));
		for (let run = 0; run < 3; run += 1) {
			expect(await storesOnDisk({ prepareBinaryData })).toBe(isOnDisk);
		}
		expect(prepareBinaryData).toHaveBeenCalledTimes(1);
	},
);

test('where n8n cannot store a file, the download will say so, and the next run asks again', async () => {
	const { storesOnDisk } = afterStart();
	const prepareBinaryData = jest.fn().mockRejectedValueOnce(new Error('ENOSPC'));
	prepareBinaryData.mockResolvedValue({ data: 'Pw==', mimeType: 'text/plain' });
	expect(await storesOnDisk({ prepareBinaryData })).toBe(true);
	expect(await storesOnDisk({ prepareBinaryData })).toBe(false);
});

test.each([
	'filesystem-v2:workflows/1/executions/temp/binary_data/0b7c',
	...['s3:workflows/1/executions/7/binary_data/0b7c', 'database:0b7c', '0b7c'],
])('of the ID %s, what stays wherever n8n moves the file is its end', (id) => {
	expect(lastingIdOf(id)).toBe('0b7c');
});
