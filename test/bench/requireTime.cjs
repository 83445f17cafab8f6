// Loads one module in this fresh process, after those that are named behind it, and prints what it
// took. Found from the module itself, so that both share what they have in common.
const { createRequire } = require('node:module');
const { performance } = require('node:perf_hooks');

const [, , target, ...before] = process.argv;
const requireBeside = createRequire(target);
for (const name of before) requireBeside(name);
const cpuBefore = process.cpuUsage();
const wallBefore = performance.now();
requireBeside(target);
const wallMs = performance.now() - wallBefore;
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(JSON.stringify({ wallMs, cpuMs: (user + system) / 1_000 }));
