import { z } from 'zod';
import { OTHER_ENDINGS, TASK_STATUSES } from './contract';

/** Section 2.2, in percent. */
export const PROGRESS_PERCENT = { min: 0, max: 100 } as const;

/**
 * The task record of both endpoints (service-spec.md, section 2.2), every unknown field kept.
 * This is what the contract promises and the simulator serves; the node asks for id and status only.
 */
export const taskRecordSchema = z
	.object({
		id: z.string().min(1),
		status: z.enum([...TASK_STATUSES, ...OTHER_ENDINGS]),
		model: z.string().optional(),
		object: z.string().optional(),
		progress: z.number().int().min(PROGRESS_PERCENT.min).max(PROGRESS_PERCENT.max).optional(),
		results: z.array(z.string().url()).optional(),
		task_info: z
			.object({ can_cancel: z.boolean().optional(), estimated_time: z.number().optional() })
			.passthrough()
			.optional(),
		usage: z.object({}).passthrough().optional(),
		error: z.unknown().optional(),
	})
	.passthrough();

export type TaskRecord = z.infer<typeof taskRecordSchema>;
export type TaskStatus = (typeof TASK_STATUSES | typeof OTHER_ENDINGS)[number];

/** How a task may end. */
export type FinalStatus = Exclude<TaskStatus, 'pending' | 'processing'>;
