import type { NewNode, NewWorkflow } from '../../tools/n8n/workflows';

/**
 * How n8n 2.41.1 draws a workflow, as read from its page in Chromium; in pixels, y downwards. Nodes
 * and notes lie on a grid, `position` is their top left.
 */
export const GRID = 16;
const NODE = 96;
const SUB_NODE = 80;
const AGENT_WIDTH = 224;
/** A node's name, and below it what it does. */
const LABEL_HEIGHT = 48;
/** Each output beyond the second makes a node higher. */
const OUTPUT_HEIGHT = 32;
/** Lines begin and end this far beside a node. */
const HANDLE = 8;
/** A line that leads back to the left goes this far below the output, and this far aside. */
const [BACK_DOWN, BACK_ASIDE] = [130, 40];
const STEPS = 64;

export interface Box {
	name: string;
	left: number;
	top: number;
	right: number;
	bottom: number;
}
interface Point {
	x: number;
	y: number;
}

export interface Line {
	from: string;
	to: string;
	points: Point[];
}

export const isNote = ({ type }: NewNode): boolean => type.endsWith('.stickyNote');

/** Parts of an agent and tools hang below what they belong to. */
const isPart = ({ connections }: NewWorkflow, { name }: NewNode): boolean =>
	Object.keys(connections[name] ?? {}).some((type) => type !== 'main');
const hasParts = ({ connections }: NewWorkflow, { name }: NewNode): boolean =>
	Object.values(connections).some((outputs) =>
		Object.entries(outputs).some(
			([type, targets]) => type !== 'main' && targets.flat().some(({ node }) => node === name),
		),
	);

/** Outputs that n8n draws, with a line or without. */
function outputsOf({ connections }: NewWorkflow, node: NewNode): number {
	const connected = connections[node.name]?.main?.length ?? 1;
	const isSplit =
		/\.(if|splitInBatches)$/.test(node.type) || node.onError === 'continueErrorOutput';
	return Math.max(connected, isSplit ? 2 : 1);
}

function inputsOf({ connections }: NewWorkflow, { name, type }: NewNode): number {
	if (!type.endsWith('.merge')) return 1;
	const targets = Object.values(connections).flatMap(({ main = [] }) => main.flat());
	return Math.max(2, ...targets.flatMap(({ node, index }) => (node === name ? [index + 1] : [])));
}

/** Where a node is, with its name. */
export function boxOf(workflow: NewWorkflow, node: NewNode): Box {
	const [left, top] = node.position;
	const { name, parameters } = node;
	if (isNote(node)) {
		const { width = 240, height = 160 } = parameters;
		return { name, left, top, right: left + Number(width), bottom: top + Number(height) };
	}
	const handles = Math.max(outputsOf(workflow, node), inputsOf(workflow, node));
	const size = isPart(workflow, node) ? SUB_NODE : NODE;
	const width = hasParts(workflow, node) ? AGENT_WIDTH : size;
	const height = size + Math.max(0, handles - 2) * OUTPUT_HEIGHT;
	return { name, left, top, right: left + width, bottom: top + height + LABEL_HEIGHT };
}

/** Main connections as the lines that n8n draws. */
export function linesOf(workflow: NewWorkflow): Line[] {
	const boxes = new Map(workflow.nodes.map((node) => [node.name, boxOf(workflow, node)]));
	const handle = (name: string, side: 'left' | 'right', index: number, count: number): Point => {
		const box = boxes.get(name);
		if (box === undefined) throw new Error(`There is no node ${name}`);
		const height = box.bottom - LABEL_HEIGHT - box.top;
		const x = side === 'left' ? box.left - HANDLE : box.right + HANDLE;
		return { x, y: box.top + (height * (index + 1)) / (count + 1) };
	};
	const nodeOf = (name: string) => workflow.nodes.find((node) => node.name === name);
	return workflow.nodes.flatMap((source) =>
		(workflow.connections[source.name]?.main ?? []).flatMap((targets, output) =>
			targets.map(({ node, index }): Line => {
				const target = nodeOf(node);
				const inputs = target ? inputsOf(workflow, target) : 1;
				const from = handle(source.name, 'right', output, outputsOf(workflow, source));
				const to = handle(node, 'left', index, inputs);
				const points = to.x >= from.x ? curve(from, to) : wayBack(from, to);
				return { from: source.name, to: node, points };
			}),
		),
	);
}

function curve(from: Point, to: Point): Point[] {
	const middle = (from.x + to.x) / 2;
	return Array.from({ length: STEPS + 1 }, (_, step) => {
		const t = step / STEPS;
		const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
		return {
			x: a * from.x + (b + c) * middle + d * to.x,
			y: (a + b) * from.y + (c + d) * to.y,
		};
	});
}

function wayBack(from: Point, to: Point): Point[] {
	const [right, left, low] = [from.x + BACK_ASIDE, to.x - BACK_ASIDE, from.y + BACK_DOWN];
	const corners = [
		from,
		{ x: right, y: from.y },
		{ x: right, y: low },
		{ x: left, y: low },
		{ x: left, y: to.y },
		to,
	];
	return corners.flatMap((end, index) => {
		const start = corners[index - 1] ?? end;
		return Array.from({ length: STEPS + 1 }, (_, step) => ({
			x: start.x + ((end.x - start.x) * step) / STEPS,
			y: start.y + ((end.y - start.y) * step) / STEPS,
		}));
	});
}

export const overlap = (one: Box, other: Box): boolean =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

export const runsThrough = ({ points }: Line, { left, top, right, bottom }: Box): boolean =>
	points.some(({ x, y }) => x > left && x < right && y > top && y < bottom);

/** Measured in n8n 1.123.81 and 2.41.1, in a note 384 pixels wide: all lines have this much room. */
const CHARACTERS = { text: 40, list: 37 };
const LINE = { text: 18.9, list: 18.2 };
const HEADING = 48;
const GAPS = { block: 8, entry: 3.5 };
/** How wide a character of `code` is, in those of text. */
const CODE = 1.3;

/** How high a note must be at least, so that nothing of its text is cut off. */
export function textHeight(content: string): number {
	const [, ...lines] = content.split('\n');
	return lines
		.join('\n')
		.split('\n\n')
		.map(blockHeight)
		.reduce((sum, height) => sum + height, HEADING);
}

export const LIST_ENTRY = /^(?:- |\d+\. )/;

function blockHeight(block: string): number {
	const rows = block.split('\n');
	const kind = rows.every((row) => LIST_ENTRY.test(row)) ? 'list' : 'text';
	const heights = rows.map((row) => {
		const width = widthOf(row.replace(LIST_ENTRY, ''));
		const gap = kind === 'list' ? GAPS.entry : 0;
		return Math.ceil(width / CHARACTERS[kind]) * LINE[kind] + gap;
	});
	return heights.reduce((sum, height) => sum + height, GAPS.block);
}

const widthOf = (text: string): number =>
	text
		.split(/(`[^`]*`)/)
		.map((part) =>
			part.startsWith('`') ? (part.length - 2) * CODE : part.replaceAll('*', '').length,
		)
		.reduce((sum, width) => sum + width, 0);
