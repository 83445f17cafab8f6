import { requestNode, triggerNode, videogenNode } from '../../../tools/n8n/workflows';
import { sampleMp4, samplePng, sha256Of } from '../../../tools/simulator/sampleFiles';
import { served, type Suite } from '../support/suite';
import { FROM_FILE, output, waiting } from '../support/workflows';

/** Files come in as binary fields and go out as binary fields, through n8n's own storage. */
export function testFiles(n8n: Suite): void {
	it('an image arrives at the service byte for byte, and so does its video in the output', async () => {
		const url = served(n8n.sim, 'frame.png', samplePng());
		const parameters = { ...FROM_FILE, ...waiting(), downloadResults: true };
		const nodes = [triggerNode(), requestNode('Fetch', url, 'data'), videogenNode({ parameters })];
		const execution = await n8n.execute(n8n.chain(nodes));
		const { id } = n8n.onlyTask();
		await n8n.sim.waitForMedia(1);
		const contentType = expect.stringContaining('image/png');
		expect(n8n.sim.mediaOf(id)).toMatchObject([
			{ field: 'image_urls', outcome: 'fetched', contentType, sha256: sha256Of(samplePng()) },
		]);
		const [item] = output(execution);
		expect(item?.binary?.data).toMatchObject({ mimeType: 'video/mp4', fileType: 'video' });
		const [, endOfId = 'none'] =
			/^a-fox-(\w+)\.mp4$/.exec(String(item?.binary?.data?.fileName)) ?? [];
		expect(id.endsWith(endOfId)).toBe(true);
		expect(await n8n.fileOf(item)).toEqual(sampleMp4());
	});
}
