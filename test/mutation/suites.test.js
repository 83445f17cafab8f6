const { readdirSync } = require('node:fs');
const { join, sep } = require('node:path');

const TESTS = join(__dirname, '..');

/** Those that are slow or random, or that look at the built package and not at the sources. */
const LEFT_OUT = [
	'engine downloads',
	'engine faultMatrix',
	'engine hostile',
	'engine randomFaults',
	'unit docs',
	'unit examples',
	'unit hostile',
	'unit package',
	'unit release',
	'unit simulator',
	'unit verification',
	'unit waiting scale',
];

/** Those that take longest come last, so that most mutants are found before. */
const LAST = [
	'unit download fileName',
	'engine',
	'unit waiting',
	'engine identity',
	'engine downloads',
];

const rank = ({ name }) =>
	Math.max(...LAST.map((prefix, index) => (name.startsWith(prefix) ? index : -1)));

/** The first of two runs has the quick ones alone; package.json has both. */
const FOLDERS = process.env.UNIT_TESTS_ONLY ? ['unit'] : ['unit', 'engine'];

const suites = FOLDERS.flatMap((folder) =>
	readdirSync(join(TESTS, folder), { recursive: true }).map((file) => join(folder, file)),
)
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => ({ file, name: file.replace('.test.ts', '').split(sep).join(' ') }))
	.filter(({ name }) => !LEFT_OUT.some((prefix) => name.startsWith(prefix)))
	.sort((one, other) => rank(one) - rank(other));

const isWanted = ({ name }) =>
	!globalThis.wantedTests || globalThis.wantedTests.includes(`(${name} `);

/** What Stryker has counted; the first of the sources to be loaded would make it otherwise. */
function coverageSoFar() {
	const stryker = (globalThis.__stryker__ ??= {});
	return (stryker.mutantCoverage ??= { static: {}, perTest: {} });
}

/**
 * Loads a unit suite with the sources it uses, all of them anew, and gives what of the sources ran
 * in loading: tables, patterns, schemas. Stryker counts only what runs within a test as its own.
 */
function loadAlone(file) {
	const coverage = coverageSoFar();
	const before = coverage.static;
	coverage.static = {};
	jest.isolateModules(() => require(join(TESTS, file)));
	const loaded = coverage.static;
	coverage.static = { ...before, ...loaded };
	return Object.keys(loaded);
}

/** Makes a suite's tests answer for what ran in loading it. */
function answerFor(mutants) {
	const { currentTestId, mutantCoverage } = globalThis.__stryker__ ?? {};
	if (!currentTestId || !mutantCoverage) return;
	const covered = (mutantCoverage.perTest[currentTestId] ??= {});
	for (const mutant of mutants) covered[mutant] ??= 1;
}

/** Engine tests run the whole node, and answer for all that runs in loading it. */
const allLoaded = () => Object.keys(coverageSoFar().static);

for (const { file, name } of suites.filter(isWanted)) {
	describe(name, () => {
		let loaded = allLoaded;
		beforeEach(() => answerFor(loaded()));
		if (!name.startsWith('unit')) return void require(join(TESTS, file));
		const own = loadAlone(file);
		loaded = () => own;
	});
}
