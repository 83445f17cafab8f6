import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { tableRows } from '../../support/markdown';
import type { Suite } from '../beds/suite';

const PAGE = readFileSync(
	path.join(__dirname, '..', '..', '..', 'docs', 'coming-from-elsewhere.md'),
	'utf8',
);

/** n8n's own nodes, by the headings of the page under which their fields stand. */
const NODES = [
	["From n8n's OpenAI node", '@n8n/n8n-nodes-langchain.openAi'],
	["From n8n's Google Gemini node", '@n8n/n8n-nodes-langchain.googleGemini'],
] as const;

/** Of any node: there are hundreds, and only two are looked at. */
const nodesSchema = z.array(z.object({ name: z.string(), properties: z.unknown() }));
const entrySchema = z.object({ name: z.string(), displayName: z.string().optional() });
const fieldsSchema = z.array(
	z.object({
		displayName: z.string(),
		options: z.array(entrySchema).optional().catch(undefined),
		displayOptions: z.object({ show: z.record(z.array(z.unknown())).optional() }).optional(),
	}),
);

/** What a section of the page calls fields and operations of n8n's node: what is bold. */
const namedIn = (heading: string): string[] => {
	const [, section = ''] = PAGE.split(`## ${heading}\n`);
	return tableRows(section.split('\n## ')[0] ?? '').flatMap(({ There = '' }) =>
		[...There.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name),
	);
};

/** What one can enter for a video, in any version of the node: labels, and what menus offer. */
const labelsIn = (versions: z.infer<typeof nodesSchema>): string[] =>
	versions
		.flatMap(({ properties }) => fieldsSchema.parse(properties))
		.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes('video'))
		.flatMap(({ displayName, options = [] }) => [
			displayName,
			...options.map((entry) => entry.displayName ?? entry.name),
		]);

/** n8n's own nodes that make videos, as the page for people who come from them describes them. */
export function testOwnNodes(n8n: Suite): void {
	it('has the fields of its own nodes that docs/coming-from-elsewhere.md names', async () => {
		const nodes = nodesSchema.parse(await n8n.api.descriptionsOf('nodes'));
		for (const [heading, type] of NODES) {
			const labels = labelsIn(nodes.filter(({ name }) => name === type));
			const named = namedIn(heading);
			expect(named.length).toBeGreaterThan(5);
			expect(named.filter((name) => !labels.includes(name))).toEqual([]);
		}
	});
}
