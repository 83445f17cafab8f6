/**
 * n8n's package, loaded when something of it is first used: each test file loads it by itself, which
 * takes longer than most tests do.
 */
let loaded;
const load = () => (loaded ??= require('../../../node_modules/n8n-workflow/dist/cjs/index.js'));
module.exports = new Proxy({}, { get: (_target, name) => Reflect.get(load(), name) });
