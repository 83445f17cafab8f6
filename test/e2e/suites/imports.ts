import { exampleFiles, readExample } from '../../programs/realN8n/examples';
import type { Suite } from '../beds/suite';

/** The recipes, as people import them. */
export function testImports(n8n: Suite): void {
	it.each(exampleFiles())('imports the recipe %s whole', async (file) => {
		const example = readExample(file);
		const { nodes, ...saved } = await n8n.api.createWorkflow(example);
		// A newer n8n gives nodes that can be called an ID of their own when they have none.
		expect(nodes).toMatchObject(example.nodes);
		const { name, connections, settings } = example;
		expect(saved).toMatchObject({ name, connections, settings, active: false });
	});
}
