import { exampleFiles, readExample } from '../../../tools/n8n/examples';
import type { NewNode } from '../../../tools/n8n/workflows';
import {
	GRID,
	LIST_ENTRY,
	boxOf,
	isNote,
	linesOf,
	overlap,
	runsThrough,
	textHeight,
} from '../../support/canvas';

/** As n8n.io asks of templates: a person sees the whole canvas at first sight, and reads it. */
const MAX_WORDS = 60;
const NOTE_WIDTH = 384;
/** Not half empty. */
const MAX_ROOM_BELOW = 2 * GRID;
const NOTES = ['What This Does', 'What to Change', 'What Costs Money', 'Try It for Free'];

const contentOf = ({ parameters }: NewNode): string => String(parameters.content);
const wordsOf = (text: string): string[] =>
	text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

describe.each(exampleFiles())('%s', (file) => {
	const workflow = readExample(file);
	const { nodes } = workflow;
	const notes = nodes.filter(isNote);
	const others = nodes.filter((node) => !isNote(node));
	const boxes = new Map(nodes.map((node) => [node, boxOf(workflow, node)]));

	test('has four notes in their order, from left to right, in one line', () => {
		expect(notes.map(({ name }) => name)).toEqual(NOTES);
		const lefts = notes.map(({ position: [left] }) => left);
		expect(lefts).toEqual([...lefts].sort((one, other) => one - other));
		expect(new Set(notes.map(({ position: [, top] }) => top)).size).toBe(1);
	});

	test.each(NOTES)(
		'says in "%s" at most 60 words, the list last, in a note of its size',
		(name) => {
			const note = notes.find((one) => one.name === name);
			const content = note ? contentOf(note) : '';
			expect(content.split('\n')[0]).toBe(`## ${name[0]}${name.slice(1).toLowerCase()}`);
			expect(wordsOf(content).length).toBeLessThanOrEqual(MAX_WORDS);
			const rows = content.split('\n');
			const first = rows.findIndex((row) => LIST_ENTRY.test(row));
			if (first >= 0) expect(rows.slice(first).filter((row) => !LIST_ENTRY.test(row))).toEqual([]);
			const height = Number(note?.parameters.height);
			expect(note?.parameters.width).toBe(NOTE_WIDTH);
			expect(height).toBeGreaterThanOrEqual(textHeight(content));
			expect(height - textHeight(content)).toBeLessThan(MAX_ROOM_BELOW);
		},
	);

	test("lies on n8n's grid", () => {
		const measures = nodes.flatMap(({ position, parameters: { width = 0, height = 0 } }) => [
			...position,
			...[width, height].map(Number),
		]);
		expect(measures.filter((measure) => measure % GRID !== 0)).toEqual([]);
	});

	test('has nothing that lies over something else', () => {
		const all = [...boxes.values()];
		const pairs = all.flatMap((one, index) =>
			all
				.slice(index + 1)
				.flatMap((other) => (overlap(one, other) ? [`${one.name}, ${other.name}`] : [])),
		);
		expect(pairs).toEqual([]);
	});

	test('has no line that runs through a node or a note', () => {
		const crossed = linesOf(workflow).flatMap((line) =>
			[...boxes.values()]
				.filter(({ name }) => name !== line.from && name !== line.to)
				.filter((box) => runsThrough(line, box))
				.map(({ name }) => `${line.from} → ${line.to}: ${name}`),
		);
		expect(crossed).toEqual([]);
	});

	test('has all nodes below the notes, and each connected with another', () => {
		const bottom = Math.max(...notes.map((note) => boxes.get(note)?.bottom ?? 0));
		expect(others.filter(({ position: [, top] }) => top < bottom + GRID)).toEqual([]);
		const lines = Object.entries(workflow.connections).flatMap(([from, outputs]) => [
			from,
			...Object.values(outputs).flatMap((targets) => targets.flat().map(({ node }) => node)),
		]);
		expect(others.filter(({ name }) => !lines.includes(name))).toEqual([]);
	});
});
