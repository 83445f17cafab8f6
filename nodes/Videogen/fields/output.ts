import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { MAX_NAME_CHARACTERS } from '../shared/text';
import { switchField, textField } from './field';
import { LABELS } from '../shared/messages';

/** n8n's default name for the file of an item. */
export const DEFAULT_BINARY_FIELD = 'data';

/** Names that work in `$binary.name`, except for those that every object has. */
const BINARY_PROPERTY = /^(?!(?:__proto__|constructor|prototype)$)[\p{L}\p{N}_$-]+$/u;

/** Shown only while a create waits, because otherwise there is no file. */
export const createDownload = switchField({
	displayName: LABELS.downloadResults,
	name: 'downloadResults',
	displayOptions: { show: { waitForCompletion: [true] } },
	default: true,
	description:
		'Whether to output the video as a file. The link to it usually stops working after a day.',
});

/** Always shown, because Get Task may find a completed task right away. */
export const getTaskDownload = switchField({
	displayName: LABELS.downloadResults,
	name: 'downloadResults',
	default: true,
	description: 'Whether to output the video as a file, if it is completed',
});

/** The binary field that receives the first file. */
export const binaryPropertyOutput = textField(
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyOutput',
		default: DEFAULT_BINARY_FIELD,
		displayOptions: { show: { '/downloadResults': [true] } },
		description:
			'The name above the video in the Binary tab. Change it only if a later node expects another; more files of the same task get _1, _2 and so on.',
	},
	z.string().max(MAX_NAME_CHARACTERS).regex(BINARY_PROPERTY),
	'Use a name of letters, digits and _, such as data.',
);

/** Creates also depend on waiting, because Download Results keeps its value while hidden. */
export const createBinaryPropertyOutput: INodeProperties = {
	...binaryPropertyOutput.property,
	displayOptions: { show: { '/waitForCompletion': [true], '/downloadResults': [true] } },
};

export const simplify = switchField({
	displayName: 'Simplify',
	name: 'simplify',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});
