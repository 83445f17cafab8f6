import {
	chainWorkflow,
	triggerNode,
	VIDEOGEN_TYPE,
	type ChainNode,
	type Credentials,
	type NewWorkflow,
	type OnError,
} from '../../n8n/workflows';

export interface Product {
	product: string;
	prompt: string;
}

/** What somebody who sells things by mail has in a sheet. */
export const PRODUCTS: readonly Product[] = [
	{
		product: 'Sneaker',
		prompt: 'A white sneaker turns slowly on a wooden table, soft morning light',
	},
	{ product: 'Teapot', prompt: 'Steam rises from a blue teapot, a hand pours a cup of tea' },
	{ product: 'Lamp', prompt: 'A paper lamp is switched on in a dark room, slow zoom in' },
];
export const [SNEAKER = '', TEAPOT = ''] = PRODUCTS.map(({ prompt }) => prompt);

/** As n8n names it. */
export const CREATE = 'Videogen';
const SHEET = 'Get Products';

interface Wanted {
	credentials: Credentials;
	parameters: Record<string, unknown>;
	onError?: OnError;
}

/** Start → sheet → Videogen, as a person would name them; the rows are pinned. */
export function productVideos(rows: readonly Product[], wanted: Wanted): NewWorkflow {
	const { credentials, parameters, onError } = wanted;
	const sheet = {
		name: SHEET,
		type: 'n8n-nodes-base.googleSheets',
		typeVersion: 4.7,
		parameters: {},
	};
	const create: ChainNode = {
		name: CREATE,
		type: VIDEOGEN_TYPE,
		typeVersion: 1,
		parameters,
		...(onError && { onError }),
	};
	const nodes = [triggerNode(), sheet, create];
	const workflow = chainWorkflow({ name: 'Spring campaign', credentials, nodes });
	return { ...workflow, pinData: { [SHEET]: rows.map((row) => ({ json: { ...row } })) } };
}
