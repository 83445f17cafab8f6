import { exampleFiles, readExample } from '../../../tools/n8n/examples';
import { startTestbed } from '../../../tools/n8n/testbed';
import { Suite } from '../support/suite';
import { version } from '../support/version';

/** Every recipe claims all n8n versions: each has its types of nodes, in the recipe's versions. */
describe(`the recipes, imported into n8n ${version}`, () => {
	const n8n = new Suite(version, startTestbed);
	let versions: Awaited<ReturnType<typeof n8n.api.nodeVersions>>;
	beforeAll(async () => {
		versions = await n8n.api.nodeVersions();
	});

	it.each(exampleFiles())('%s', async (file) => {
		const example = readExample(file);
		const unknown = example.nodes
			.filter(({ type, typeVersion }) => !versions.get(type)?.includes(typeVersion))
			.map(({ type, typeVersion }) => `${type} ${typeVersion}`);
		expect(unknown).toEqual([]);
		const saved = await n8n.api.createWorkflow(example);
		expect(saved.nodes).toHaveLength(example.nodes.length);
	});
});
