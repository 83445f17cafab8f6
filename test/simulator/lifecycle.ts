import { PROGRESS_PERCENT } from '../../nodes/Videogen/contract/limits';
import type { TaskStatus } from '../../nodes/Videogen/contract/task';
import type { PlannedStatus, TaskPlan } from './plans';

export interface TaskState {
	status: TaskStatus;
	/** Percent, a whole number. */
	progress: number;
}

/** The first tenth of a task's time it waits in line. */
const PENDING_SHARE = 0.1;

export const isFinal = (status: TaskStatus): boolean =>
	status === 'completed' || status === 'failed';

/** A final state; failed tasks stop where they are, short of the end. */
export const finalState = (status: 'completed' | 'failed'): TaskState => ({
	status,
	progress: status === 'completed' ? PROGRESS_PERCENT.max : PROGRESS_PERCENT.max / 2,
});

const stateOf = ({ status, progress }: PlannedStatus): TaskState => ({ status, progress });

const outcomeOf = (plan: TaskPlan): 'completed' | 'failed' =>
	plan.outcome === 'failed' ? 'failed' : 'completed';

/** Progress grows evenly and stays below the maximum until the task is final. */
function runningState(durationMs: number, elapsedMs: number): TaskState {
	const share = durationMs > 0 ? elapsedMs / durationMs : 0;
	if (share < PENDING_SHARE) return { status: 'pending', progress: PROGRESS_PERCENT.min };
	const percent = Math.floor(share * PROGRESS_PERCENT.max);
	return { status: 'processing', progress: Math.min(percent, PROGRESS_PERCENT.max - 1) };
}

/** What the plan's own list says for this moment: its first final status, else its latest. */
function plannedState(statuses: PlannedStatus[], elapsedMs: number): TaskState | undefined {
	const reached = statuses.filter(({ afterMs }) => afterMs <= elapsedMs);
	const planned = reached.find(({ status }) => isFinal(status)) ?? reached.at(-1);
	return planned && stateOf(planned);
}

/** True once the plan's list, if any, has been played in full. */
function endsByItself(plan: TaskPlan, elapsedMs: number): boolean {
	const statuses = plan.statuses ?? [];
	if (plan.outcome === 'never' || statuses.some(({ status }) => isFinal(status))) return false;
	return statuses.every(({ afterMs }) => afterMs < elapsedMs);
}

/**
 * The state of a task `elapsedMs` after it was created. It is computed rather than stepped, so
 * that a test's own clock gives exact answers. The reply to the create is not final even when the
 * duration is 0, because a service only looks at the task after it accepted it; a plan with
 * `immediate` says otherwise.
 */
export function stateAt(
	plan: TaskPlan,
	durationMs: number,
	elapsedMs: number,
	isCreateReply: boolean,
): TaskState {
	if (plan.immediate) return finalState(outcomeOf(plan));
	const isDue = elapsedMs >= durationMs && !isCreateReply;
	if (isDue && endsByItself(plan, elapsedMs)) return finalState(outcomeOf(plan));
	if (!plan.statuses) return runningState(durationMs, elapsedMs);
	return (
		plannedState(plan.statuses, elapsedMs) ?? { status: 'pending', progress: PROGRESS_PERCENT.min }
	);
}
