import { requestNode, videogenNode } from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import { jsonOf, promptNodes, status, waiting } from '../support/workflows';

const PROMPTS = ['first', 'second', 'third'];

/** Rows whose JSON a node has replaced on the way, so that nothing but their place tells them apart. */
export function testEqualItems(n8n: Suite): void {
	/** Rows → HTTP Request, which puts out the same for each → Videogen, with the prompts of the rows. */
	function nodes(maxTries?: number) {
		const body = '{"ok":true}';
		const url = n8n.sim.serve('/announced', { body, contentType: 'application/json' });
		const prompt = "={{ $('Split prompt').item.json.prompt }}";
		return [
			...promptNodes(PROMPTS),
			requestNode('Announce', url),
			videogenNode({ parameters: { prompt, ...waiting() }, maxTries }),
		];
	}

	describe.each([503, 402])('of equal items, the first create is answered %d', (code) => {
		beforeEach(() => n8n.sim.script({ on: 'create', fault: status(code) }));

		it('Retry On Fail gives each its own video, created once', async () => {
			const execution = await n8n.runPublished(nodes(2));
			expect(jsonOf(execution)).toEqual(n8n.recordsOf(PROMPTS));
		});

		it("a person's Retry gives each its own video, created once", async () => {
			const first = await n8n.runPublished(nodes(), 'error');
			expect(jsonOf(await n8n.retry(first))).toEqual(n8n.recordsOf(PROMPTS));
		});
	});
}
