import {
	executionIdOf,
	isSubWorkflow,
	lastRunOf,
	runIndexOf,
} from '../../../nodes/Videogen/ground/n8n';

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

const running = (proxy: object) =>
	Object.assign(Object.create(null), {
		getNode: () => ({ name: 'My Video' }),
		getWorkflowDataProxy: () => proxy,
	});

test.each([
	['the last that is planned', { $runIndex: 1, $node: { 'My Video': { runIndex: 3 } } }, [1, 3]],
	['its own', { $runIndex: 2, $node: { 'My Video': { runIndex: 0 } } }, [2, 2]],
	['its own where no other is known', { $runIndex: 2, $node: {} }, [2, 2]],
	['the first where n8n tells nothing', {}, [0, 0]],
])('the run of a node and the last one: %s', (_what, proxy, expected) => {
	const context = running(proxy);
	expect([runIndexOf(context), lastRunOf(context)]).toEqual(expected);
});
