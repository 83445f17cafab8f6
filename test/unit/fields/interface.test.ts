/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { runInNewContext } from 'node:vm';
import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { operations } from '../../../nodes/Videogen/operations';
import { fieldsOf, type Operation } from '../../../nodes/Videogen/operations/operation';
import { createOptions, NOT_OF_REQUEST } from '../../../nodes/Videogen/fields/options';
import { entriesOf } from '../../../tools/docs/reference';
import { Videogen } from '../../../nodes/Videogen/Videogen.node';

const { description } = new Videogen();

const options = description.properties.flatMap(entriesOf);

const isShown = (field: INodeProperties, values: INodeParameters, root = values): boolean =>
	NodeHelpers.displayParameter(values, field, { typeVersion: 1 }, description, root);

test('the node has the names that saved workflows hold', () => {
	expect(description).toMatchObject({
		name: 'videogen',
		version: 1,
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'videogenApi', required: true }],
	});
});

/** In its list of options, the editor shows `Max New Videos` as `Max New Videos per Execu…`. */
test('no label of an option is too long for the list that offers it', () => {
	const labels = options.map(({ displayName }) => displayName);
	expect(labels.length).toBeGreaterThan(10);
	expect(labels.filter(({ length }) => length > 24)).toEqual([]);
});

/** All of them, with their types, choices and defaults, stand in docs/reference.md, which a test compares. */
describe('the fields', () => {
	test('that all creates have stand there once, so that a change keeps their values', () => {
		const names = [
			...['duration', 'quality', 'aspectRatio', 'simplify', 'options'],
			...createOptions.map(({ name }) => name),
		];
		const shownFor = ({ value: operation }: Operation) => {
			const values = { operation, waitForCompletion: true, downloadResults: true };
			const fields = description.properties.filter((field) => isShown(field, values));
			const entries = options.filter((entry) => isShown(entry, {}, values));
			return [...fields, ...entries].filter(({ name }) => names.includes(name));
		};
		const shown = operations.slice(0, 3).map(shownFor);
		expect(shown.map(({ length }) => length)).toEqual([1, 2, 3].map(() => names.length));
		expect(new Set(shown.flat()).size).toBe(names.length);
		// The editor empties a collection whose condition names what changed.
		const collection = description.properties.find(({ name }) => name === 'options');
		expect(collection).not.toHaveProperty('displayOptions');
	});

	test.each(['createTextVideo', 'getTask'])('keep the field of the file for %s', (operation) => {
		const clip = { binaryPropertyOutput: 'clip' };
		const shown = { downloadResults: true, waitForCompletion: true };
		const written = { operation, ...shown, options: clip };
		const { properties } = description;
		const kept = NodeHelpers.getNodeParameters(properties, written, true, false, null, description);
		expect(kept?.options).toEqual(clip);
	});

	test('of a create that make its request are known by name: others change, and a retry goes on', () => {
		const creates = operations.filter(({ isCreate }) => isCreate);
		const fields = creates.flatMap((one) => [...fieldsOf(one), ...one.options]);
		const names = new Set(fields.map(({ name }) => name));
		expect([...names].filter((name) => !NOT_OF_REQUEST.includes(name)).sort()).toEqual([
			...['aspectRatio', 'audioUrls', 'contentFilter', 'duration', 'firstFrameBinaryProperty'],
			...['firstFrameUrl', 'generateAudio', 'imageSource', 'imageUrls', 'lastFrameBinaryProperty'],
			...['lastFrameUrl', 'modelFamily', 'modelParams', 'prompt', 'quality'],
			...['referenceBinaryProperties', 'videoUrls', 'webSearch'],
		]);
	});
});

test('the editor rounds and clamps no number that is typed', () => {
	const numbers = [...description.properties, ...options].filter(({ type }) => type === 'number');
	expect(numbers.length).toBeGreaterThan(4);
	expect(numbers.filter(({ typeOptions }) => typeOptions !== undefined)).toEqual([]);
});

test.each(operations)(
	'on the canvas, $value stands under the node by its name',
	({ value, name }) => {
		const [, code = ''] = /^=\{\{(.*)\}\}$/s.exec(description.subtitle ?? '') ?? [];
		expect(runInNewContext(code, { $parameter: { operation: value } })).toBe(name);
	},
);
