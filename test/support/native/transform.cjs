/**
 * Lets Node itself load a module, once for all test files of a worker. In Jest's sandbox, each file
 * would load n8n's engine anew, and what the engine does takes half as long again.
 */
exports.process = (_, file) => ({
	code: `module.exports = requireOfNode(${JSON.stringify(file)});`,
});
