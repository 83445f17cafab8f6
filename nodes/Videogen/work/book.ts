import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../shared/json';
import type { Order } from './order';

/** Raise it with every change of what is saved: older versions of the node must not misread it. */
const VERSION = 1;

/** The one name under which everything is kept in n8n's node context. */
export const CONTEXT_KEY = 'videogen';

/** What an execution and its retries know of their orders. Plain data, saved by n8n. */
export interface Book {
	readonly version: typeof VERSION;
	/** Shared by an execution and its retries. */
	readonly id: string;
	/** Grows with every change. Of two copies, the one with the higher revision counts. */
	revision: number;
	/** Whether a person started the first of these executions in the editor. */
	readonly isManual: boolean;
	/** Orders by place or, if another one has taken theirs, by their own ID. */
	readonly orders: Record<string, Order>;
	/** How many tasks with the same idempotency key text have ended, by the text's hash. */
	readonly ended: Record<string, number>;
	/** How many creates an execution has decided on, by its ID. */
	readonly created: Record<string, number>;
}

export const newBook = (isManual: boolean): Book => ({
	version: VERSION,
	id: randomUUID(),
	revision: 0,
	isManual,
	orders: {},
	ended: {},
	created: {},
});

const isBook = (value: unknown): value is Book => isJsonObject(value) && value.version === VERSION;

/**
 * What n8n keeps between the tries of a node, and saves with a failed execution.
 * @returns `undefined` if this version of the node cannot read it
 */
export function savedBook(context: IDataObject, isManual: boolean): Book | undefined {
	const kept: unknown = context[CONTEXT_KEY];
	if (kept === undefined) return newBook(isManual);
	return isBook(kept) ? kept : undefined;
}
