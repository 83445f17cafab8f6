/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { STATUS_CODES } from 'node:http';
import { createRow } from '../../nodes/Videogen/service/responseRules';
import { table } from './reference';

/** Cloudflare's own statuses, which stand in no registry. */
const CLOUDFLARE = [520, 521, 522, 523, 524, 525, 526, 527, 530];

const MEANINGS = {
	again: 'No. The node sends the request again, until the timeout',
	no: 'No. The item ends in an error',
	maybe: 'Perhaps. The item ends in the error `noAnswer`, and nothing is sent again',
};
type Meaning = keyof typeof MEANINGS;

/** What a status means, with its text; twice where it decides whether the body is JSON. */
function casesOf(status: number): Array<[text: string, Meaning]> {
	const madeIf = (isJson: boolean): Meaning => {
		const { made, closesGate } = createRow({ kind: 'status', status, isJson });
		return closesGate ? 'again' : made;
	};
	const [withJson, without] = [madeIf(true), madeIf(false)];
	if (withJson === without) return [[`${status}`, without]];
	return [
		[`${status} with JSON`, withJson],
		[`${status} without JSON`, without],
	];
}

/** The table of statuses that have a name, or are not “Perhaps” as all others, from the node's rules. */
export function answersTable(): string {
	const cases = Array.from({ length: 300 }, (_, index) => 300 + index).flatMap((status) => {
		const hasName = status in STATUS_CODES || CLOUDFLARE.includes(status);
		return casesOf(status).filter(([, made]) => hasName || made !== 'maybe');
	});
	const rows = Object.entries(MEANINGS).map(([meaning, text]) => ({
		'Status of the answer': cases
			.filter(([, made]) => made === meaning)
			.map(([status]) => status)
			.join(', '),
		'Did it create a task?': text,
	}));
	return table(rows);
}
