/**
 * Lets Node itself load a module, once for all test files of a worker. In Jest's sandbox, n8n's engine
 * is loaded for each file anew, and takes half as long again for all it does.
 */
exports.process = (_, file) => ({
	code: `module.exports = requireOfNode(${JSON.stringify(file)});`,
});
