import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isJsonObject } from '../common/json';
import { lastingIdOf } from '../n8n/binaryStorage';
import { plainType } from '../downloads/mediaType';
import { emptyField, InvalidParameter, isEmpty, shown } from '../parameters/invalidParameter';
import { ItemFile, type TakeFile } from './inputFile';
import { whyUnreachable } from './localHost';

/** Long enough for a full queue at the service, short enough that a link does not lie around. */
const LINK_LIFETIME = '6h';

/** What this needs of n8n. */
interface FileContext {
	getInputData(): INodeExecutionData[];
	helpers: Pick<IExecuteFunctions['helpers'], 'assertBinaryData' | 'createBinarySignedUrl'>;
}

/** Takes files of an input item, handed on by n8n's own signed links. */
export const takeFileOf =
	(context: FileContext, itemIndex: number, serviceUrl: string): TakeFile =>
	(field, binaryField, kinds) => {
		const refuse = (whatIsWrong: string, advice: string) =>
			new InvalidParameter(field, `: ${whatIsWrong}`, advice);
		if (isEmpty(binaryField)) throw emptyField(field, fieldsOf(context, itemIndex));
		const binary = binaryIn(context, itemIndex, binaryField);
		if (typeof binary === 'string') throw refuse(binary, fieldsOf(context, itemIndex));
		if (!binary.id) throw refuse(`${shownField(binaryField)} ${NOT_STORED}`, STORE_IT);
		const link = () => context.helpers.createBinarySignedUrl(binary, LINK_LIFETIME);
		const unreachable = whyUnreachable(link(), serviceUrl);
		if (unreachable !== undefined) {
			throw refuse(`the service could not fetch the file, because ${unreachable}`, SET_PUBLIC_URL);
		}
		const mediaType = plainType(binary.mimeType);
		const kind = kinds.find((one) => mediaType.startsWith(`${one}/`));
		if (kind === undefined) {
			throw refuse(
				`${shownField(binaryField)} holds a file of type ${mediaType || 'unknown'}, not ${kinds.join(' or ')}.`,
				'Use a binary field with a file of that type.',
			);
		}
		return new ItemFile(`n8n-file:${lastingIdOf(binary.id)}`, kind, link);
	};

/** A binary field as messages show it; an expression may have given the file itself. */
const shownField = (binaryField: unknown): string =>
	isJsonObject(binaryField) ? 'the given file' : `the binary field ${shown(binaryField)}`;

/** Found by n8n itself, which knows both ways in which items carry files; or why there is none. */
function binaryIn(
	{ helpers }: FileContext,
	itemIndex: number,
	binaryField: unknown,
): IBinaryData | string {
	const given = typeof binaryField === 'string' ? binaryField.trim() : binaryField;
	if (typeof given !== 'string' && !isBinaryData(given)) {
		return `${shownField(given)} is not a binary field.`;
	}
	try {
		return helpers.assertBinaryData(itemIndex, given);
	} catch {
		return `the input item has no binary field ${shown(given)}.`;
	}
}

const isBinaryData = (value: unknown): value is IBinaryData =>
	isJsonObject(value) && typeof value.mimeType === 'string' && 'data' in value;

function fieldsOf(context: FileContext, itemIndex: number): string {
	const names = Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
	return names.length > 0
		? `The item has these binary fields: ${names.join(', ')}.`
		: 'The item has no files at all: put a node before this one that gives a file, for example Google Drive, HTTP Request or Read/Write Files from Disk.';
}

/** What keeps files out of n8n's memory. */
export const STORE_FILES =
	'Whoever runs this n8n can set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or database, in queue mode) and restart it.';
const NOT_STORED = 'is kept in the memory of n8n, so no link to it can be made.';
const STORE_IT = `If a Code node made the file, let it use this.helpers.prepareBinaryData. ${STORE_FILES} Or give a URL instead of a file.`;
const SET_PUBLIC_URL =
	'Whoever runs this n8n can set WEBHOOK_URL to its whole public URL, for example https://n8n.example.com/, without quotes, and restart it. Or give a URL instead of a file.';
