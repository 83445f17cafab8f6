import { executionIdOf, isSubWorkflow, runIndexOf } from '../../../nodes/Videogen/ground/n8n';

test('a call for an MCP client has no execution', () => {
	expect(executionIdOf({ getExecutionId: () => JSON.parse('{}').id })).toBeUndefined();
	expect(executionIdOf({ getExecutionId: () => '7' })).toBe('7');
});

test.each([
	['integrated', true],
	['manual', false],
	['trigger', false],
] as const)('an execution of the mode %s was started by another: %s', (mode, expected) => {
	expect(isSubWorkflow({ getMode: () => mode })).toBe(expected);
});

test.each([
	['its own', { $runIndex: 2 }, 2],
	['the first where n8n tells nothing', {}, 0],
])('the run of a node: %s', (_what, proxy, expected) => {
	const context = Object.assign(Object.create(null), {
		getNode: () => ({ name: 'My Video' }),
		getWorkflowDataProxy: () => proxy,
	});
	expect(runIndexOf(context)).toBe(expected);
});
