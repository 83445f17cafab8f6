module.exports = globalThis.sharedModules['n8n-workflow'];
