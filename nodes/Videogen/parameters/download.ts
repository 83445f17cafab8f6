import { InvalidParameter, shown } from './invalidParameter';
import { DEFAULT_BINARY_FIELD } from '../inputFiles/inputFile';
import { LABELS } from './labels';
import type { Parameters } from './values';
import { switchFrom } from './values';

/** Where the first result goes; the others go to the same name with `_1`, `_2`… */
export interface DownloadSettings {
	binaryProperty: string;
}

/** As `$binary.name` and other nodes can take it. */
const BINARY_PROPERTY = /^[\p{L}\p{N}_$-]+$/u;
/** Names that every object has by itself. */
const TAKEN_NAMES = ['__proto__', 'constructor', 'prototype'];

/** The item's settings for downloads; `undefined` when it has none. */
export function downloadFrom(parameters: Parameters): DownloadSettings | undefined {
	const wanted = parameters.get('downloadResults') ?? false;
	if (!switchFrom(LABELS.downloadResults, wanted)) return undefined;
	const given = parameters.get('binaryPropertyOutput') ?? DEFAULT_BINARY_FIELD;
	const binaryProperty = typeof given === 'string' ? given.trim() : '';
	const isName = BINARY_PROPERTY.test(binaryProperty) && !TAKEN_NAMES.includes(binaryProperty);
	if (isName) return { binaryProperty };
	throw new InvalidParameter(
		LABELS.binaryPropertyOutput,
		given === '' ? 'is empty.' : `${shown(given)} is not the name of a field.`,
		'Give the field a name of letters, digits and _, for example data.',
	);
}

/** The binary field of a result, counted from 0. */
export const binaryFieldOf = ({ binaryProperty }: DownloadSettings, index: number): string =>
	index === 0 ? binaryProperty : `${binaryProperty}_${index}`;
