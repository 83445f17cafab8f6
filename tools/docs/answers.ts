/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { STATUS_CODES } from 'node:http';
import { createRow } from '../../nodes/Videogen/service/responseRules';
import { table } from './reference';

/** Cloudflare's own statuses, which stand in no registry. */
const CLOUDFLARE = [520, 521, 522, 523, 524, 525, 526, 527, 530];

/** Statuses that have a name, or are not “Perhaps” as all others. */
const STATUSES = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
	(status) =>
		status in STATUS_CODES ||
		CLOUDFLARE.includes(status) ||
		casesOf(status).some(({ made }) => made !== 'maybe'),
);

type Meaning = 'again' | 'no' | 'maybe';

const MEANINGS: Record<Meaning, string> = {
	again: 'No. The node sends the request again, until the timeout',
	no: 'No. The item ends in an error',
	maybe: 'Perhaps. The item ends in the error `noAnswer`, and nothing is sent again',
};

/** A status, and whether its body is JSON where that decides. */
interface Case {
	text: string;
	made: Meaning;
}

function casesOf(status: number): Case[] {
	const madeIf = (isJson: boolean): Meaning => {
		const { made, closesGate } = createRow({ kind: 'status', status, isJson });
		return closesGate ? 'again' : made;
	};
	if (madeIf(true) === madeIf(false)) return [{ text: `${status}`, made: madeIf(true) }];
	return [
		{ text: `${status} with JSON`, made: madeIf(true) },
		{ text: `${status} without JSON`, made: madeIf(false) },
	];
}

/** The table of statuses, from the rules by which the node reads them. */
export function answersTable(): string {
	const cases = STATUSES.flatMap(casesOf);
	const rows = Object.entries(MEANINGS).map(([made, meaning]) => ({
		'Status of the answer': cases
			.filter((one) => one.made === made)
			.map(({ text }) => text)
			.join(', '),
		'Did it create a task?': meaning,
	}));
	return table(rows);
}
