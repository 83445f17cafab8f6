import { ownNode, requestNode, triggerNode, videogenNode } from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import { EditorDriver } from '../support/editorDriver';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, waiting } from '../support/workflows';

const BEFORE = 'Items';
const AFTER = 'Later';

/** Passes the prompts on, and writes a field that is not sent. */
const itemsNode = (value: string) =>
	ownNode(BEFORE, 'set', 3.4, {
		assignments: { assignments: [{ id: 'note', name: 'note', value, type: 'string' }] },
		includeOtherFields: true,
		options: {},
	});

/** In the editor, what is paid is not paid again. */
export function testReuse(n8n: Suite): void {
	describe('in the editor', () => {
		it('a later node fails: it is corrected, then a node before changed; Execute step creates nothing', async () => {
			const create = videogenNode({ parameters: { ...PROMPT_OF_ITEM, ...waiting() } });
			const broken = requestNode(AFTER, `${n8n.sim.baseUrl}/no-such-page`);
			const nodes = [triggerNode(), itemsNode('first'), create, broken];
			const chain = n8n.chain(nodes, { items: itemsOf(['fox', 'owl']) });
			const editor = new EditorDriver(n8n, await n8n.api.createWorkflow(chain));
			const failed = await editor.execute('error');
			await editor.change(requestNode(AFTER, n8n.sim.serve('/page')));
			const mended = await editor.step(AFTER, failed);
			expect(mended.output(AFTER)).toHaveLength(2);
			await editor.change(itemsNode('second'));
			const again = await editor.step(AFTER, mended);
			expect(again.output(BEFORE)).toMatchObject(Array(2).fill({ json: { note: 'second' } }));
			expect(jsonOf(again)).toEqual(n8n.recordsOf(['fox', 'owl']));
			expect(n8n.sim.creates()).toHaveLength(2);
		});
	});
}
