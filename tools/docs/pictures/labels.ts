/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { z } from 'zod';
import { VideogenApi } from '../../../credentials/VideogenApi.credentials';
import { nodeProperties } from '../../../nodes/Videogen/operations';

export const FOLDER = path.resolve(__dirname, '../../../docs/images');
export const LABELS_FILE = path.join(FOLDER, 'labels.json');

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** What n8n shows of a field, its choices and entries, an operation's action among them. */
const textsOf = (entry: Entry): string[] => [
	...('displayName' in entry ? [entry.displayName] : [entry.name]),
	...('action' in entry && entry.action !== undefined ? [entry.action] : []),
	...('options' in entry ? (entry.options ?? []).flatMap(textsOf) : []),
];

/** All labels of the node and its credential. */
export const knownLabels = (): Set<string> =>
	new Set([...nodeProperties, ...new VideogenApi().properties].flatMap(textsOf));

/** By file: the labels that each picture shows, as `npm run docs -- pictures` has written them down. */
export const savedLabels = (): Record<string, string[]> =>
	existsSync(LABELS_FILE)
		? z.record(z.array(z.string())).parse(JSON.parse(readFileSync(LABELS_FILE, 'utf8')))
		: {};
