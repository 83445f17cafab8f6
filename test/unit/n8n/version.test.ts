import { isN8n1 } from '../../../nodes/Videogen/ground/n8n';

test.each([
	['n8n-nodes-base.spontit', true],
	['n8n-nodes-base.set', false],
])('an n8n that knows the node %s is n8n 1: %s', (name, expected) => {
	const types = { [name]: { className: 'Node', sourcePath: 'Node.node.js' } };
	expect(isN8n1({ getKnownNodeTypes: () => types })).toBe(expected);
});
