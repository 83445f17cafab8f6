/**
 * Runs a command as the leader of its own process group and takes the whole group down when the
 * process that started it is gone. A killed test run or demo thereby leaves no server behind that
 * would hold a port.
 *
 * Usage: node guard.cjs <command> [argument...], with a pipe as standard input.
 */
const { spawn } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

// A signal to the group reaches the command itself, which decides when it ends; the guard follows.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

process.stdin.resume();
process.stdin.on('close', () => process.kill(-process.pid, 'SIGKILL'));

child.on('error', (error) => {
	console.error(error.message);
	process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
