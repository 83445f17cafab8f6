import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the patches are. */
const FOLDER = path.join(__dirname, 'patches');

/** A change of the node that a test must notice. */
export interface Mutant {
	name: string;
	/** What it breaks, in a sentence. */
	breaks: string;
	/** Where the test is that fails with it. */
	file: string;
	/** A part of the test's full name. */
	test: string;
	patchFile: string;
}

const HEADER = /^(?<breaks>\S.*)\nTest: (?<file>\S+) › (?<test>.+)\n/;

/**
 * The mutants of these names, or all when none is given.
 * @throws Error for a name that no patch has, and for a patch without its two first lines
 */
export function readMutants(names: string[]): Mutant[] {
	const all = readdirSync(FOLDER).map((file) => path.basename(file, '.patch'));
	const unknown = names.filter((name) => !all.includes(name));
	if (unknown.length > 0) {
		throw new Error(`No mutant is called ${unknown.join(', ')}. There are: ${all.join(', ')}`);
	}
	return (names.length > 0 ? names : all).map(readMutant);
}

function readMutant(name: string): Mutant {
	const patchFile = path.join(FOLDER, `${name}.patch`);
	const { breaks, file, test } = HEADER.exec(readFileSync(patchFile, 'utf8'))?.groups ?? {};
	if (breaks && file && test) return { name, breaks, file, test, patchFile };
	throw new Error(
		`${name}.patch must begin with a sentence that says what it breaks, and a line “Test: <file> › <part of the test's name>”`,
	);
}
