import type { WaitPlan } from '../tasks/job';
import { InvalidParameter, notAllowed } from './invalidParameter';
import { LABELS } from './labels';
import type { Parameters } from './values';
import { choiceFrom, collection, numberFrom, switchFrom } from './values';

export const POLL_INTERVAL_SECONDS = { min: 1, default: 5 } as const;
/** Long enough for a slow generation, short enough that a stuck one is noticed the same hour. */
export const TIMEOUT_MINUTES = { default: 20 } as const;

export const WAIT_ENDINGS = ['error', 'returnTask'] as const;
/** What an item becomes when its task did not complete. */
export type WaitEnding = (typeof WAIT_ENDINGS)[number];

/** How one item waits for its task, and what it becomes when that does not complete. */
export interface WaitSettings {
	plan: WaitPlan;
	onTimeout: WaitEnding;
	onFailure: WaitEnding;
}

/** The item's settings for waiting; `undefined` when it does not wait. */
export function waitFrom(parameters: Parameters): WaitSettings | undefined {
	if (!switchFrom(LABELS.waitForCompletion, parameters.get('waitForCompletion'))) return undefined;
	const options = collection(parameters, 'waitOptions');
	return {
		plan: {
			intervalMs: pollIntervalSeconds(options.pollIntervalSeconds) * 1_000,
			timeoutMs: timeoutMinutes(options.timeoutMinutes) * 60_000,
		},
		onTimeout: ending(LABELS.onTimeout, options.onTimeout),
		onFailure: ending(LABELS.onFailure, options.onFailure),
	};
}

function pollIntervalSeconds(given: unknown): number {
	const value = numberFrom(given ?? POLL_INTERVAL_SECONDS.default);
	if (isFiniteNumber(value) && value >= POLL_INTERVAL_SECONDS.min) return value;
	throw new InvalidParameter(
		LABELS.pollIntervalSeconds,
		notAllowed(given),
		`It is a number of seconds, at least ${POLL_INTERVAL_SECONDS.min}.`,
	);
}

function timeoutMinutes(given: unknown): number {
	const value = numberFrom(given ?? TIMEOUT_MINUTES.default);
	if (isFiniteNumber(value) && value > 0) return value;
	throw new InvalidParameter(
		LABELS.timeoutMinutes,
		notAllowed(given),
		'It is a number of minutes greater than 0.',
	);
}

const isFiniteNumber = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value);

const ending = (field: string, given: unknown): WaitEnding =>
	choiceFrom(field, WAIT_ENDINGS, given ?? 'error');
