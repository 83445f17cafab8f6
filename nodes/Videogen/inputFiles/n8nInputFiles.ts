import type { IBinaryData, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { parseUrl } from '../common/url';
import { InvalidParameter, isEmpty, shown } from '../parameters/invalidParameter';
import type { ItemFiles } from './inputFile';
import { ItemFile, shownField } from './inputFile';
import { isLocalHost } from './localHost';

/** Long enough for a full queue at the service, short enough that a link does not lie around. */
const LINK_LIFETIME = '6h';

/** What this needs of n8n. */
interface FileContext {
	getInputData(): INodeExecutionData[];
	helpers: Pick<IExecuteFunctions['helpers'], 'assertBinaryData' | 'createBinarySignedUrl'>;
}

/** The binary fields of an input item, handed on by n8n's own signed links. */
export function itemFilesOf(
	context: FileContext,
	itemIndex: number,
	serviceUrl: string,
): ItemFiles {
	return {
		take(parameter, binaryField) {
			const binary = binaryIn(context, itemIndex, parameter, binaryField);
			if (!binary.id) throw notStored(parameter, binaryField);
			const link = () => context.helpers.createBinarySignedUrl(binary, LINK_LIFETIME);
			assertReachable(parameter, link(), serviceUrl);
			return new ItemFile(referenceOf(binary.id), plainMediaType(binary), link);
		},
	};
}

/** n8n moves files between folders, also when it saves a run; the last part of an id stays. */
const referenceOf = (id: string): string => `n8n-file:${id.split(/[/:]/).at(-1) ?? id}`;

/** Code that makes files may leave the type out. */
const plainMediaType = ({ mimeType }: Partial<IBinaryData>): string =>
	(mimeType?.split(';')[0] ?? '').trim().toLowerCase();

/** Found by n8n itself, which knows both ways in which items carry files. */
function binaryIn(
	context: FileContext,
	itemIndex: number,
	parameter: string,
	binaryField: unknown,
): IBinaryData {
	const given = typeof binaryField === 'string' ? binaryField.trim() : binaryField;
	if (isEmpty(given)) throw missing(context, itemIndex, parameter, 'is empty.');
	if (typeof given === 'string' || isBinaryData(given)) {
		try {
			return context.helpers.assertBinaryData(itemIndex, given);
		} catch {
			const text = `the input item has no binary field ${shown(given)}.`;
			throw missing(context, itemIndex, parameter, text);
		}
	}
	throw missing(context, itemIndex, parameter, `${shownField(given)} is not a binary field.`);
}

const isBinaryData = (value: unknown): value is IBinaryData =>
	typeof value === 'object' &&
	value !== null &&
	'mimeType' in value &&
	typeof value.mimeType === 'string' &&
	'data' in value;

function missing(
	context: FileContext,
	itemIndex: number,
	parameter: string,
	whatIsWrong: string,
): InvalidParameter {
	const names = Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
	const advice =
		names.length > 0
			? `The item has these binary fields: ${names.join(', ')}.`
			: 'The item has no binary fields at all: put a node before this one that gives a file, for example Read/Write Files from Disk or HTTP Request.';
	return new InvalidParameter(parameter, whatIsWrong, advice);
}

const notStored = (parameter: string, binaryField: unknown): InvalidParameter =>
	new InvalidParameter(
		parameter,
		`${shownField(binaryField)} is kept in the memory of n8n, so no link to it can be made.`,
		'If a Code node made the file, let it use this.helpers.prepareBinaryData. Otherwise whoever runs this n8n can set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or database, in queue mode) and restart it. Or give a web address instead of a file.',
	);

const noAddress = (parameter: string): InvalidParameter =>
	new InvalidParameter(
		parameter,
		"no link to the file can be made, because n8n's own address is not set to a web address.",
		'Whoever runs this n8n can set WEBHOOK_URL to its whole public address, for example https://n8n.example.com/, without quotes, and restart it. Or give a web address instead of a file.',
	);

/** A service on the internet cannot open what only this network can. */
function assertReachable(parameter: string, link: string, serviceUrl: string): void {
	const url = /^https?:\/\//i.test(link) ? parseUrl(link) : undefined;
	if (url === undefined) throw noAddress(parameter);
	const serviceHost = parseUrl(serviceUrl)?.hostname ?? '';
	if (!isLocalHost(url.hostname) || isLocalHost(serviceHost)) return;
	throw new InvalidParameter(
		parameter,
		`the service could not fetch the file, because n8n's own address, ${url.origin}, can only be opened in its own network.`,
		'Whoever runs this n8n can set WEBHOOK_URL to its public address and restart it. Or give a web address instead of a file.',
	);
}
