import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { tableRows } from '../../support/markdown';
import type { Suite } from '../beds/suite';

const PAGE = readFileSync(
	path.join(__dirname, '..', '..', '..', 'docs', 'coming-from-elsewhere.md'),
	'utf8',
);

const entrySchema = z.object({ name: z.string(), displayName: z.string().optional() });
const fieldSchema = z.object({
	displayName: z.string(),
	options: z.array(entrySchema).optional().catch(undefined),
	displayOptions: z.object({ show: z.record(z.array(z.unknown())).optional() }).optional(),
});
const nodesSchema = z.array(z.object({ name: z.string(), properties: z.array(fieldSchema) }));

/** What a section of the page calls fields and operations of n8n's node: what is bold. */
const namedIn = (heading: string): string[] => {
	const [, section = ''] = PAGE.split(`## ${heading}\n`);
	return tableRows(section.split('\n## ')[0] ?? '').flatMap(({ There = '' }) =>
		[...There.matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name),
	);
};

/** n8n's own nodes that make videos, as the page for people who come from them describes them. */
export function testOwnNodes(n8n: Suite): void {
	it.each([
		["From n8n's OpenAI node", '@n8n/n8n-nodes-langchain.openAi'],
		["From n8n's Google Gemini node", '@n8n/n8n-nodes-langchain.googleGemini'],
	])('has what docs/coming-from-elsewhere.md names under “%s”', async (heading, type) => {
		const nodes = nodesSchema.parse(await n8n.api.descriptionsOf('nodes'));
		const fields = nodes
			.filter(({ name }) => name === type)
			.flatMap(({ properties }) => properties)
			.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes('video'));
		const labels = fields.flatMap(({ displayName, options = [] }) => [
			displayName,
			...options.map((entry) => entry.displayName ?? entry.name),
		]);
		const named = namedIn(heading);
		expect(named.length).toBeGreaterThan(5);
		expect(named.filter((name) => !labels.includes(name))).toEqual([]);
	});
}
