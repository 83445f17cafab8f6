/**
 * The numbers and fixed words of the service's contract (docs/internals/service-contract.md,
 * sections 2, 3 and 8). The editor's fields and the schemas read them from here; the simulator has
 * its own.
 */

/** Seconds of video; whole numbers only. Sections 2.1 and 8. */
export const DURATION_SECONDS = { min: 4, max: 30, default: 5 } as const;

/** Section 2.1. The service has no 4K tier. */
export const QUALITIES = ['480p', '720p'] as const;
export const DEFAULT_QUALITY = '720p';

/** Section 2.1. `adaptive` follows the input or the prompt. */
export const ASPECT_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive'] as const;
export const DEFAULT_ASPECT_RATIO = 'adaptive';

/** How many frames image to video accepts: the first, or the first and the last. Section 2.1. */
export const FRAME_IMAGES = { min: 1, max: 2 } as const;

/** How many entries each list of reference to video accepts, if it is present. Section 2.1. */
export const REFERENCE_IMAGES = { min: 1, max: 30 } as const;
export const REFERENCE_VIDEOS = { min: 1, max: 10 } as const;
export const REFERENCE_AUDIOS = { min: 1, max: 10 } as const;

/** Section 2.2. */
export const TASK_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;

/** How a task can end. */
export const ENDINGS = ['completed', 'failed', 'cancelled', 'expired'] as const;
export type Ending = (typeof ENDINGS)[number];

/** Final statuses of services of this kind, in any letter case. The node waits on other words. */
export const FINAL_STATUSES: Record<Ending, string[]> = {
	completed: ['completed', 'complete', 'succeeded', 'succeed', 'success', 'done', 'finished'],
	failed: ['failed', 'failure', 'fail', 'error', 'timeout'],
	cancelled: ['cancelled', 'canceled'],
	expired: ['expired'],
};

/** Section 4. Both are relative to the credential's Base URL. */
export const CREATE_PATH = 'v1/videos/generations';
export const TASKS_PATH = 'v1/tasks';

/** Section 1: what the service calls its models when it publishes them under its own name. */
export const DEFAULT_MODEL_FAMILY = 'videogen-2.5';

/** Section 1: the three workflows, named after the endings of their model identifiers. */
export const WORKFLOWS = ['text-to-video', 'image-to-video', 'reference-to-video'] as const;
export type Workflow = (typeof WORKFLOWS)[number];

/** The `model` value that selects a workflow (section 1), for a provider's model family. */
export const modelOf = (modelFamily: string, workflow: Workflow): string =>
	`${modelFamily}-${workflow}`;
