import type { IConnections, IDataObject, INodeExecutionData, IRunData } from 'n8n-workflow';
import { nodesNamed } from './loop';

/** Where the rows are, and what stands behind it and puts out JSON of its own, as Slack does. */
const SHEET_NAME = 'Sheet';
export const BEHIND_SHEET_NAME = 'Behind Sheet';

export const SHEET_NODES = nodesNamed(SHEET_NAME, BEHIND_SHEET_NAME);

export const behindSheet = (name: string): IConnections => ({
	[SHEET_NAME]: { main: [[{ node: BEHIND_SHEET_NAME, type: 'main', index: 0 }]] },
	[BEHIND_SHEET_NAME]: { main: [[{ node: name, type: 'main', index: 0 }]] },
});

/** Both have run: one with these rows, the other with these items, each of the row at its place. */
export function sheetData(rows: IDataObject[], items: INodeExecutionData[]): IRunData {
	const run = { startTime: 0, executionTime: 0, executionIndex: 0 };
	const sheet = rows.map((json, item) => ({ json, pairedItem: { item } }));
	return {
		[SHEET_NAME]: [{ ...run, source: [], data: { main: [sheet] } }],
		[BEHIND_SHEET_NAME]: [
			{ ...run, source: [{ previousNode: SHEET_NAME }], data: { main: [items] } },
		],
	};
}
