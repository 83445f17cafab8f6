import { sampleMp4 } from '../../programs/support/sampleFiles';
import { Suite } from '../beds/suite';
import { startTestbed } from '../../programs/realN8n/testbed';
import { version } from '../version';
import { jsonOf, output, waiting } from '../vocabulary';

/** As in the Docker images of n8n, where every package sees only what it asks for itself. */
describe(`n8n ${version} installed by pnpm`, () => {
	const n8n = new Suite(
		version,
		async () => await startTestbed(version, {}, { installer: 'pnpm', packed: true }),
	);

	it('loads the node, which makes a video', async () => {
		const parameters = { prompt: 'A fox', ...waiting(), downloadResults: true };
		const execution = await n8n.run({ parameters });
		expect(jsonOf(execution)).toEqual([n8n.onlyTask().record()]);
		expect(await n8n.fileOf(output(execution)[0])).toEqual(sampleMp4());
	});
});
