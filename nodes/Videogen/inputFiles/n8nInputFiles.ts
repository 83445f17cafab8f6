import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isJsonObject } from '../common/json';
import { lastingIdOf } from '../n8n/binaryStorage';
import { plainType } from '../downloads/mediaType';
import { GIVE_FILE, SET_PUBLIC_URL, STORE_THIS_FILE } from '../parameters/advice';
import { emptyField, InvalidParameter, isEmpty, shown } from '../parameters/invalidParameter';
import { ItemFile, type ResolveFile } from './inputFile';
import { whyUnreachable } from './localHost';

/** Long enough for a full queue at the service, and not much longer. */
const LINK_LIFETIME = '6h';

/** What this needs of n8n. */
interface FileContext {
	getInputData(): INodeExecutionData[];
	helpers: Pick<IExecuteFunctions['helpers'], 'assertBinaryData' | 'createBinarySignedUrl'>;
}

/** Files of an input item, for which the service gets n8n's own signed links. */
export const fileResolver =
	(context: FileContext, itemIndex: number, serviceUrl: string): ResolveFile =>
	(field, given, kinds) => {
		const invalid = (whatIsWrong: string, advice: string) =>
			new InvalidParameter(field, `: ${whatIsWrong}`, advice);
		const names = Object.keys(context.getInputData()[itemIndex]?.binary ?? {}).join(', ');
		const nameAdvice = names ? `The item has these binary fields: ${names}.` : GIVE_FILE;
		if (isEmpty(given)) throw emptyField(field, nameAdvice);
		const file = binaryIn(context, itemIndex, given);
		if (!file) throw invalid(`the input item has no binary field ${shown(given)}.`, nameAdvice);
		const what = isJsonObject(given) ? 'the given file' : `the binary field ${shown(given)}`;
		if (!file.id) {
			const inMemory = `${what} is kept in the memory of n8n, so no link to it can be made.`;
			throw invalid(inMemory, STORE_THIS_FILE);
		}
		const link = () => context.helpers.createBinarySignedUrl(file, LINK_LIFETIME);
		const unreachable = whyUnreachable(link(), serviceUrl);
		if (unreachable !== undefined) {
			const noFetch = `the service could not fetch the file, because ${unreachable}`;
			throw invalid(noFetch, `${SET_PUBLIC_URL} Or give a URL instead of a file.`);
		}
		const mediaType = plainType(file.mimeType);
		const kind = kinds.find((one) => mediaType.startsWith(`${one}/`));
		if (kind === undefined) {
			const otherType = `${what} holds a file of type ${mediaType || 'unknown'}, not ${kinds.join(' or ')}.`;
			throw invalid(otherType, 'Use a binary field with a file of that type.');
		}
		return new ItemFile(`n8n-file:${lastingIdOf(file.id)}`, kind, link);
	};

/** Found by n8n itself, which knows both ways in which items carry files. */
function binaryIn(
	{ helpers }: FileContext,
	itemIndex: number,
	given: unknown,
): IBinaryData | undefined {
	const nameOrFile = typeof given === 'string' ? given.trim() : given;
	if (typeof nameOrFile !== 'string' && !isBinaryData(nameOrFile)) return undefined;
	try {
		return helpers.assertBinaryData(itemIndex, nameOrFile);
	} catch {
		return undefined;
	}
}

const isBinaryData = (value: unknown): value is IBinaryData =>
	isJsonObject(value) && typeof value.mimeType === 'string' && 'data' in value;
