import fc from 'fast-check';
import type { INodeProperties } from 'n8n-workflow';
import { withLinks } from '../../../nodes/Videogen/files/inputs';
import { InvalidParameter } from '../../../nodes/Videogen/shared/messages';
import { operations } from '../../../nodes/Videogen/operations';
import {
	fieldsOf,
	type ItemValues,
	type Operation,
} from '../../../nodes/Videogen/operations/operation';
import { modelOf, WORKFLOWS } from '../../../nodes/Videogen/service/contract/limits';
import { checkCreate } from '../../../tools/simulator/validation';
import { manyRuns, pollution, unreadable } from '../../support/fuzz';
import { anyValue } from '../../support/hostileValues';
import { fileOf, itemFilesWith } from '../../support/itemFilesScene';
import { GOOD, planned } from './planned';

const RUNS = 1.5 * manyRuns();
const MOST_CHARACTERS = 500;
const FAMILY = 'videogen-2.5';

const files = itemFilesWith({
	data: fileOf('image/png'),
	last: fileOf('image/webp'),
	voice: fileOf('audio/mpeg'),
	text: fileOf('text/plain'),
});

type Values = Record<string, unknown>;

/** A value of any kind; a field's good value is drawn at times too. */
const oddly = (name: string): fc.Arbitrary<unknown> =>
	fc.oneof(...(name in GOOD ? [fc.constant(GOOD[name])] : []), anyValue);

/** At most a few values for these fields, because one wrong value hides all others. */
function sparse(fields: INodeProperties[]): fc.Arbitrary<Values> {
	const entries = fields.map(({ name }) => fc.tuple(fc.constant(name), oddly(name)));
	return fc.array(fc.oneof(...entries), { maxLength: 3 }).map((some) => Object.fromEntries(some));
}

/** Any value in some fields, and in some options. */
function valuesOf(operation: Operation): fc.Arbitrary<Values> {
	const some = { weight: 9, arbitrary: sparse(operation.options) };
	const anyOptions = fc.oneof(some, { weight: 1, arbitrary: anyValue });
	const values = fc.tuple(sparse(fieldsOf(operation)), anyOptions);
	return values.map(([ofFields, options]) => ({ ...ofFields, options }));
}

/** What the strict simulator has against the request as it would arrive there. */
async function refusalOf(itemValues: ItemValues): Promise<unknown> {
	if ('taskId' in itemValues) return undefined;
	const body = await withLinks(itemValues.request, itemValues.files);
	// Options may name any family; the judge has one.
	const workflow = WORKFLOWS.find((one) => body.model.endsWith(modelOf('', one)));
	const model = workflow && modelOf(FAMILY, workflow);
	const json: unknown = JSON.parse(JSON.stringify({ ...body, model }));
	const headers = { 'content-type': 'application/json' };
	const checked = checkCreate({ headers, json }, { modelFamily: FAMILY });
	return 'refusal' in checked ? checked.refusal : undefined;
}

function objectionsTo(thrown: unknown): string[] {
	if (!(thrown instanceof InvalidParameter)) return [`not about a field: ${String(thrown)}`];
	return [thrown.message, thrown.advice].flatMap((text) => unreadable(text, MOST_CHARACTERS));
}

test.each(operations)(
	'$name asks for what the service takes, or names the field, whatever the values',
	async (operation) => {
		const counts = { planned: 0, refused: 0 };
		await fc.assert(
			fc.asyncProperty(valuesOf(operation), async (values) => {
				const [settled] = await Promise.allSettled([planned(operation, values, files)]);
				if (settled.status === 'rejected') {
					counts.refused += 1;
					return expect(objectionsTo(settled.reason)).toEqual([]);
				}
				counts.planned += 1;
				expect(await refusalOf(settled.value.itemValues)).toBeUndefined();
				expect(pollution()).toEqual([]);
			}),
			{ numRuns: RUNS },
		);
		expect(Math.min(counts.planned, counts.refused)).toBeGreaterThan(RUNS / 20);
	},
);
