import { failureOf } from '../service/failure';
import { hasResults } from '../service/task';
import { type Order, type State, taskIdOf } from './order';

/** What is known of an order, the row of the table that fits first. */
export type Known =
	/** Its task is unfinished, or completed with results. */
	| 'task'
	/** It is planned or being sent by another run. */
	| 'underWay'
	/** Its create may have made a task. */
	| 'mayExist'
	/** The service would say the same again, has made it once, or was told to cancel it. */
	| 'final'
	/** Its task has failed otherwise. */
	| 'ended'
	/** The service said no to it otherwise, or nothing was sent. */
	| 'unsent';

/** What is done when an order is asked for again. */
export type Decision =
	/** Its task is read, nothing is sent. */
	| 'read'
	/** It is waited for, and looked at again. */
	| 'await'
	/** It is not sent: a task may exist. */
	| 'refuse'
	/** It is sent again, with the same key. */
	| 'resend'
	/** It ends as before, nothing is sent. */
	| 'repeat'
	/** Another order takes its place. */
	| 'anew'
	| 'send';

/**
 * What was ordered before (the table of this name in docs/billing-and-retries.md): by the same
 * execution again, as Retry On Fail and loops do, or by a person, who presses Retry or clicks in the
 * editor.
 */
const TABLE: Record<Known, { automatic: Decision; person: Decision }> = {
	task: { automatic: 'read', person: 'read' },
	underWay: { automatic: 'await', person: 'await' },
	mayExist: { automatic: 'refuse', person: 'refuse' },
	final: { automatic: 'repeat', person: 'anew' },
	ended: { automatic: 'anew', person: 'anew' },
	unsent: { automatic: 'send', person: 'send' },
};

/** Of several orders the best: the lower, the better; of equal ones the newest. */
export const RANK: Record<Known, number> = {
	task: 0,
	underWay: 1,
	mayExist: 2,
	final: 3,
	ended: 3,
	unsent: 3,
};

/** @param isUnderWay Whether another run has it in hand. */
export function whatIsKnown(order: Order, isUnderWay = false): Known {
	const { state, mayExist } = order;
	if (state.is === 'failed') return hasFailedForGood(state) ? 'final' : 'ended';
	if (isWithoutResults(state)) return 'final';
	if (taskIdOf(order) !== undefined) return 'task';
	if (isUnderWay) return 'underWay';
	if (mayExist) return 'mayExist';
	return isRefusedForContent(state) ? 'final' : 'unsent';
}

/** Who asks for an order again, and what is known of it. */
export interface Asked {
	known: Known;
	byPerson: boolean;
	mayResend: boolean;
}

/** The row of the table that fits, for who asks. */
export function decide({ mayExist }: Order, { known, byPerson, mayResend }: Asked): Decision {
	const decision = TABLE[known][byPerson ? 'person' : 'automatic'];
	if (decision !== 'refuse' || !mayResend || mayExist?.taskId !== undefined) return decision;
	// An automatic try would only be refused for the same content again.
	return !byPerson && mayExist?.isContentRefused ? 'repeat' : 'resend';
}

const isRefusedForContent = (state: State): boolean =>
	state.is === 'error' && state.fault.kind === 'moderation';

/** Whether its task stayed completed without any result for as long as that is waited for. */
const isWithoutResults = (state: State): boolean =>
	state.is === 'error' &&
	state.fault.kind === 'download' &&
	state.task !== undefined &&
	!hasResults(state.task);

function hasFailedForGood({ task, hadVideo }: Extract<State, { is: 'failed' }>): boolean {
	const failure = failureOf(task);
	return ['moderation', 'cancelled'].includes(failure) || (failure === 'expired' && hadVideo);
}
