import { exampleFiles, readExample } from '../../../tools/n8n/examples';
import type { Suite } from '../support/suite';

/** Every recipe claims all n8n versions: each has its types of nodes, in the recipe's versions. */
export function testRecipeImport(n8n: Suite): void {
	it('imports every recipe, and knows all of its nodes', async () => {
		for (const example of exampleFiles().map(readExample)) {
			const known = await n8n.api.versionsOf(example.nodes);
			const unknown = example.nodes.filter(
				({ typeVersion }, index) => !known[index]?.includes(typeVersion),
			);
			expect(unknown).toEqual([]);
			const saved = await n8n.api.createWorkflow(example);
			expect(saved.nodes).toHaveLength(example.nodes.length);
		}
	});
}
