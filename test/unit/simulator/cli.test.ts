import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TASKS_PATH } from '../../simulator/contract';
import { DEFAULT_API_KEY } from '../../simulator';
import { readArguments } from '../../simulator/cliArguments';
import { Journal } from '../../simulator/journal';
import { samplePng } from '../../support/sampleFiles';
import { IMAGE_REQUEST, SimulatorScene, create } from './scene';

const scene = new SimulatorScene();

afterEach(async () => await scene.end());

test('the command line has defaults', () => {
	expect(readArguments([])).toEqual({
		kind: 'start',
		options: { port: 4010, apiKeys: [DEFAULT_API_KEY], taskDurationMs: 20_000 },
	});
});

test('the command line takes every flag', () => {
	const flags = '--port 0 --key k --task-seconds 0.5 --max-unfinished 2 --creates-per-second 3';
	expect(readArguments(flags.split(' '))).toEqual({
		kind: 'start',
		options: {
			port: 0,
			apiKeys: ['k'],
			taskDurationMs: 500,
			maxUnfinishedTasks: 2,
			createsPerSecond: 3,
		},
	});
	expect(readArguments(['--help'])).toEqual({ kind: 'help' });
});

test.each([
	['--port', 'x'],
	['--port', '70000'],
	['--task-seconds=-1'],
	['--max-unfinished', '1.5'],
	['--creates-per-second', ''],
	['--key', 'two words'],
	['--unknown'],
])('the command line explains what is wrong with %j', (...args) => {
	const message = expect.stringContaining(String(args[0]?.split('=')[0]));
	expect(readArguments(args)).toEqual({ kind: 'mistake', message });
});

/** Runs the command and gathers what it prints. */
function run(...args: string[]) {
	const cli = join(__dirname, '../../simulator/cli.ts');
	const child = spawn(process.execPath, ['--import', 'tsx', cli, ...args]);
	const output = new Journal<string>();
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => output.add(text));
	}
	const exit = once(child, 'close');
	scene.closes({ close: async () => child.kill('SIGKILL') && (await exit) });
	const printed = () => output.entries.join('');
	const waitFor = async (text: string) => await output.waitFor(() => printed().includes(text));
	return { child, exit, printed, waitFor };
}

test('the command says what to paste, lists requests and files without their keys, and stops on Ctrl-C', async () => {
	const { child, exit, printed, waitFor } = run('--port', '0', '--key', 'pasted-key');
	await waitFor('Press Ctrl-C');
	expect(printed()).toContain('API Key   pasted-key');
	const baseUrl = /Base URL {2}(\S+)/.exec(printed())?.[1] ?? '';
	const headers = { authorization: 'Bearer secret-key' };
	await fetch(`${baseUrl}/${TASKS_PATH}/x?key=secret-key`, { headers });
	await waitFor('401');
	const host = await scene.start();
	const frame = host.serve('/frame.png', { body: samplePng(), contentType: 'image/png' });
	const body = { ...IMAGE_REQUEST, image_urls: [`${frame}?token=secret-token`] };
	await create({ ...host, baseUrl }, body, { authorization: 'Bearer pasted-key' });
	await waitFor('image_urls[0]');
	expect(printed()).toMatch(/image_urls\[0\] {2}[\d.]+:\d+\/frame\.png {2}fetched {2}\(task_/);
	expect(printed()).toContain(`image/png, ${samplePng().length} bytes)`);
	expect(printed()).toContain(`GET  /${TASKS_PATH}/x  401  (key ****)`);
	child.kill('SIGINT');
	expect(await exit).toEqual([0, null]);
	expect(printed()).toContain('The simulator has stopped.');
	expect(printed()).not.toContain('secret-');
});

test('the command says plainly when the port is taken', async () => {
	const { port } = await scene.start();
	const { exit, printed } = run('--port', String(port));
	expect(await exit).toEqual([1, null]);
	expect(printed()).toContain(`Port ${port} is already in use`);
});
