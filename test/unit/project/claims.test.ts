/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileNameOf } from '../../../nodes/Videogen/files/names';
import { decide, type State } from '../../../nodes/Videogen/work/order';
import { tableRows } from '../../support/markdown';
import { failureOf } from '../../support/orders';

const PROJECT = path.join(__dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');

describe('docs/payment-and-retries.md says what the code does', () => {
	const rows = tableRows(read('docs/payment-and-retries.md'));
	const by = ['1'];
	const names: Record<string, State> = {
		Nothing: { is: 'new', by },
		Unconfirmed: { is: 'sent', by, mayExist: true },
		'A task': { is: 'task', by, taskId: 'task_1' },
		'A failed task': { is: 'failed', by, failure: failureOf('failed') },
		'Rejected or ended': { is: 'final', by, failure: failureOf('moderation') },
	};
	const words = {
		create: /^Creates/,
		anew: /^Creates again/,
		read: /^Continues/,
		refuse: /^(?:Sends nothing|The same)/,
		same: /^Sends nothing/,
	};

	test.each(Object.entries(names))('state %s', (name, state) => {
		const row = rows.find(({ State: cell }) => cell === `**${name}**`) ?? {};
		const [automatic = '', person = ''] = Object.values(row).slice(2);
		expect(automatic).toMatch(words[decide(state, '1', false)]);
		expect(person).toMatch(words[decide(state, '2', false)]);
	});
});

test('the example of a file name is what the node makes of the example', () => {
	const page = read('docs/files-and-output.md');
	const [, prompt] = /"prompt": "([^"]+)"/.exec(page) ?? [];
	const [, id = ''] = /"id": "([^"]+)"/.exec(page) ?? [];
	expect(page).toContain(`\`${fileNameOf(id, 0, 'video/mp4', prompt)}\``);
});
