import { type TaskRecord, taskRecordSchema } from '../../nodes/Videogen/contract/task';
import type { TaskState } from './lifecycle';

/** Section 2.2: the label a task record carries. */
const OBJECT_LABEL = 'video.generation.task';

export interface RecordParts {
	id: string;
	model: string;
	createdAtMs: number;
	state: TaskState;
	/** Seconds. */
	estimatedTime: number;
	results: string[];
	error: unknown;
	extraFields: boolean;
}

/** What services of this kind send beyond the contract; clients must put up with it. */
const extrasOf = ({ createdAtMs, state, results }: RecordParts) => ({
	created: Math.floor(createdAtMs / 1_000),
	type: 'video',
	usage: { billing_rule: 'per_second', credits_reserved: 25, user_group: 'default' },
	...(state.status === 'completed' && { result_data: results.map((url) => ({ url })) }),
});

/**
 * The task record (service-spec.md, section 2.2). It is checked against the contract before
 * anyone sees it: a simulator that breaks the contract would make every test on it worthless.
 */
export function buildRecord(parts: RecordParts): TaskRecord {
	const { id, model, state, error } = parts;
	return taskRecordSchema.parse({
		id,
		object: OBJECT_LABEL,
		model,
		status: state.status,
		progress: state.progress,
		...(state.status === 'completed' && { results: parts.results }),
		...(state.status === 'failed' && error !== undefined && { error }),
		task_info: { can_cancel: state.status === 'pending', estimated_time: parts.estimatedTime },
		...(parts.extraFields && extrasOf(parts)),
	});
}
