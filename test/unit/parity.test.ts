import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import {
	imageVideoRequestSchema,
	referenceVideoRequestSchema,
	textVideoRequestSchema,
} from '../../nodes/Videogen/contract/request';
import { operations } from '../../nodes/Videogen/operations';

const FAMILY = 'videogen-2.5';
const MOST_ENTRIES = 100;

/** Bodies that the contract's schemas accept, to vary one property at a time. */
const picture = 'https://e.com/a.png';
const bodies = {
	createTextVideo: { model: `${FAMILY}-text-to-video`, prompt: 'fox' },
	createImageVideo: { model: `${FAMILY}-image-to-video`, prompt: 'fox', image_urls: [picture] },
	createReferenceVideo: {
		model: `${FAMILY}-reference-to-video`,
		prompt: 'fox',
		image_urls: [picture],
	},
};
type Create = keyof typeof bodies;

const schemas = {
	createTextVideo: textVideoRequestSchema(FAMILY),
	createImageVideo: imageVideoRequestSchema(FAMILY),
	createReferenceVideo: referenceVideoRequestSchema(FAMILY),
};

const CREATES: Create[] = ['createTextVideo', 'createImageVideo', 'createReferenceVideo'];

/** The fields from which each property of a request comes; `model` comes from the credential. */
const FIELDS_OF: Record<string, string[]> = {
	prompt: ['prompt'],
	duration: ['duration'],
	quality: ['quality'],
	aspect_ratio: ['aspectRatio'],
	generate_audio: ['options.generateAudio'],
	content_filter: ['options.contentFilter'],
	callback_url: ['options.callbackUrl'],
	model_params: ['options.modelParams', 'options.webSearch'],
	video_urls: ['videoUrls'],
	audio_urls: ['audioUrls'],
};
const FRAMES = ['firstFrameUrl', 'lastFrameUrl'];

const fieldsOf = (create: Create, property: string): string[] => {
	if (property !== 'image_urls') return FIELDS_OF[property] ?? [];
	return create === 'createImageVideo' ? FRAMES : ['imageUrls'];
};

function propertiesOf(create: Create): Record<string, z.ZodTypeAny> {
	const schema = schemas[create];
	const object = schema instanceof z.ZodEffects ? schema.innerType() : schema;
	return object.shape;
}

const unwrapped = (type: z.ZodTypeAny): z.ZodTypeAny =>
	type instanceof z.ZodOptional ? unwrapped(type.unwrap()) : type;

/** A field of an operation, or an entry of its Options. */
function fieldOf(create: Create, path: string): INodeProperties {
	const fields = operations.find(({ value }) => value === create)?.fields ?? [];
	const [name, entryName] = path.split('.');
	const field = fields.find((one) => one.name === name);
	const entry = field?.options?.find((one) => one.name === entryName);
	const found = entryName === undefined ? field : entry;
	if (found === undefined || !('type' in found)) throw new Error(`${create} has no ${path}`);
	return found;
}

const accepts = (create: Create, more: Record<string, unknown>): boolean =>
	schemas[create].safeParse({ ...bodies[create], ...more }).success;

const valuesOf = ({ options = [] }: INodeProperties): unknown[] =>
	options.map((option) => ('value' in option ? option.value : undefined));

const cases = CREATES.flatMap((create) =>
	Object.entries(propertiesOf(create))
		.filter(([property]) => property !== 'model')
		.map(([property, type]) => ({ create, property, type: unwrapped(type) })),
);

const ofType = <Type extends z.ZodTypeAny>(isType: (type: z.ZodTypeAny) => type is Type) =>
	cases.flatMap(({ create, property, type }) => (isType(type) ? [{ create, property, type }] : []));

const enums = ofType((type) => type instanceof z.ZodEnum);
const numbers = ofType((type) => type instanceof z.ZodNumber);
const lists = ofType((type) => type instanceof z.ZodArray);
const switches = ofType((type) => type instanceof z.ZodBoolean);

describe("what the editor offers, held against the contract's schemas", () => {
	test.each(cases)('$create has a field for $property', ({ create, property }) => {
		expect(fieldsOf(create, property)).not.toEqual([]);
		for (const path of fieldsOf(create, property)) expect(fieldOf(create, path).name).toBeTruthy();
	});

	test('all kinds of properties are among them', () => {
		expect([enums, numbers, lists, switches].map(({ length }) => length)).toEqual([6, 3, 4, 6]);
	});

	test.each(enums)('$create offers for $property what the contract has', (row) => {
		const field = fieldOf(row.create, fieldsOf(row.create, row.property)[0] ?? '');
		expect(valuesOf(field).sort()).toEqual([...row.type.options].sort());
		expect(accepts(row.create, { [row.property]: field.default })).toBe(true);
	});

	test.each(numbers)('$create limits $property as the contract does', (row) => {
		const field = fieldOf(row.create, fieldsOf(row.create, row.property)[0] ?? '');
		const { minValue, maxValue } = row.type;
		expect(field.typeOptions).toMatchObject({
			minValue,
			maxValue,
			numberPrecision: row.type.isInt ? 0 : undefined,
		});
		expect(field.hint).toBe(`${minValue} to ${maxValue} seconds`);
		expect(accepts(row.create, { [row.property]: field.default })).toBe(true);
	});

	test.each(lists)('$create takes as many $property as the contract does', (row) => {
		const counts = Array.from({ length: MOST_ENTRIES }, (_, index) => index + 1);
		const most = counts.filter((count) =>
			accepts(row.create, { [row.property]: Array.from({ length: count }, () => picture) }),
		);
		const paths = fieldsOf(row.create, row.property);
		if (paths === FRAMES) {
			expect(most).toEqual([1, 2]);
			return;
		}
		expect(fieldOf(row.create, paths[0] ?? '').hint).toMatch(`Up to ${most.length}:`);
		expect(most.at(-1)).toBe(most.length);
	});

	test.each(switches)('$create has a switch for $property', (row) => {
		const field = fieldOf(row.create, fieldsOf(row.create, row.property)[0] ?? '');
		expect(field.type).toBe('boolean');
		expect(accepts(row.create, { [row.property]: field.default })).toBe(true);
	});

	test('a property that one shape lacks has no field in its operation', () => {
		for (const create of CREATES) {
			const wanted = Object.keys(propertiesOf(create)).flatMap((name) => fieldsOf(create, name));
			const others = Object.keys(FIELDS_OF)
				.flatMap((name) => fieldsOf(create, name))
				.filter((path) => !wanted.includes(path));
			for (const path of others) expect(() => fieldOf(create, path)).toThrow('has no');
		}
	});
});
