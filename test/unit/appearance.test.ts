import { existsSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Icon } from 'n8n-workflow';
import { VideogenApi } from '../../credentials/VideogenApi.credentials';
import { operations } from '../../nodes/Videogen/operations';
import { Videogen } from '../../nodes/Videogen/Videogen.node';

const ROOT = path.join(__dirname, '..', '..');
const { description } = new Videogen();
const credential = new VideogenApi();

/** What an expression of the editor comes to. */
function valueOf(expression: string, variables: Record<string, unknown>): unknown {
	const [, code] = /^=\{\{(.*)\}\}$/s.exec(expression) ?? [];
	if (code === undefined) throw new Error(`${expression} is no expression`);
	return runInNewContext(code, variables);
}

test.each<[string, Icon | undefined, string]>([
	['the node', description.icon, 'nodes/Videogen'],
	['the credential', credential.icon, 'credentials'],
])('the icons of %s exist, one for light and one for dark', (_name, icon, folder) => {
	if (icon === undefined || typeof icon === 'string') throw new Error('There is one icon only');
	expect(icon.light).not.toBe(icon.dark);
	for (const file of [icon.light, icon.dark]) {
		expect(file).toMatch(/^file:.+\.svg$/);
		expect(existsSync(path.join(ROOT, folder, file.replace('file:', '')))).toBe(true);
	}
});

test('the names that people see', () => {
	expect(description).toMatchObject({
		displayName: 'Videogen',
		defaults: { name: 'Videogen' },
		group: ['transform'],
	});
	expect(credential.displayName).toBe('Videogen API');
	expect(new URL(credential.documentationUrl).hash).toBe('#credentials');
});

test.each(operations.map(({ value, name }) => [value, name]))(
	'on the canvas, %s stands under the node as %s',
	(operation, name) => {
		const variables = { $parameter: { operation } };
		expect(valueOf(description.subtitle ?? '', variables)).toBe(name);
	},
);

describe('the hint before many items', () => {
	const [hint] = description.hints ?? [];

	test('says what it costs, at the input, before the run', () => {
		expect(hint).toMatchObject({ location: 'inputPane', whenToDisplay: 'beforeExecution' });
		expect(hint?.message).toContain('each one is paid');
	});

	test.each([
		[11, true, true],
		[10, true, false],
		[11, false, false],
	])('%i items, waited for: %j, makes it %j', (count, waitForCompletion, shown) => {
		const $input = { all: () => Array.from({ length: count }) };
		const variables = { $parameter: { waitForCompletion }, $input };
		expect(valueOf(hint?.displayCondition ?? '', variables)).toBe(shown);
	});
});
