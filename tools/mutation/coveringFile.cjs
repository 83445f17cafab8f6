/** Jest runs the one file that `jestRunner.mjs` names, or all. */
module.exports = async (testFiles) => {
	const { COVERING_TEST_FILE: file } = process.env;
	return { filtered: file ? testFiles.filter((testFile) => testFile === file) : testFiles };
};
