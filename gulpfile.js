const { execFile } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { promisify } = require('node:util');
const { dest, series, src } = require('gulp');

const run = promisify(execFile);

/** Removes the previous build, so that a deleted source file leaves nothing behind. */
const clean = async () => await rm('dist', { recursive: true, force: true });

/** Type-checks and compiles; the compiler's own report is what a developer needs to see. */
async function compile() {
	try {
		await run(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.json']);
	} catch (error) {
		throw new Error(`The TypeScript compiler reports:\n${error.stdout ?? error.message}`);
	}
}

/** Icons and codex files lie beside the code that names them, in dist as in the sources. */
const copyAssets = () =>
	src(['nodes/**/*.{svg,png}', 'nodes/**/*.node.json', 'credentials/**/*.svg'], {
		base: '.',
		encoding: false,
		allowEmpty: true,
	}).pipe(dest('dist'));

exports.clean = clean;
exports.build = series(clean, compile, copyAssets);
exports.default = exports.build;
