const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Jest's last words: what has run on each n8n version, and for how long. */
module.exports = class VersionTable {
	onRunComplete(_contexts, { testResults }) {
		const ran = testResults.filter(({ skipped }) => !skipped);
		const versions = [...new Set(ran.map(({ displayName }) => displayName.name))].sort();
		const rows = versions.map((version) => {
			const suites = ran.filter(({ displayName }) => displayName.name === version);
			const row = {
				suites: suites.length,
				passed: sum(suites.map(({ numPassingTests }) => numPassingTests)),
				failed: sum(suites.map(({ numFailingTests }) => numFailingTests)),
				seconds: Math.round(sum(suites.map(({ perfStats }) => perfStats.runtime)) / 1_000),
			};
			return [version, row];
		});
		console.table(Object.fromEntries(rows));
	}
};
