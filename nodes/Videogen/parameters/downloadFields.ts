import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { RESULT_LINK_LIFETIME } from '../downloads/resultUrls';
import { DEFAULT_BINARY_FIELD } from '../inputFiles/inputFile';
import { LABELS } from './labels';

type Shown = NonNullable<IDisplayOptions['show']>;

/** Switch and name for results as files, shown under further conditions. */
const downloadFields = (show: Shown, description: string): INodeProperties[] => [
	{
		displayName: LABELS.downloadResults,
		name: 'downloadResults',
		type: 'boolean',
		default: false,
		displayOptions: { show },
		description,
	},
	{
		displayName: LABELS.binaryPropertyOutput,
		name: 'binaryPropertyOutput',
		type: 'string',
		default: DEFAULT_BINARY_FIELD,
		displayOptions: { show: { ...show, downloadResults: [true] } },
		description:
			'Name of the output field for the file. Further results of the same task go to the same name with _1, _2 and so on.',
	},
];

/** A video can only be downloaded by who waits for it. */
export const createDownloadFields = downloadFields(
	{ waitForCompletion: [true] },
	`Whether to put the finished video into the output as a file. Its link usually stops working after ${RESULT_LINK_LIFETIME}.`,
);

/** Get Task may find a completed task without waiting. */
export const getTaskDownloadFields = downloadFields(
	{},
	'Whether to put the videos of a completed task into the output as files. A task that is not completed comes without.',
);
