import { z } from 'zod';

/**
 * The service's contract, from the words of docs/internals/service-contract.md and written apart
 * from the node's own: a rule that the node has wrong must not be wrong here too. So the simulator
 * imports nothing of it.
 */

/** Section 4. */
export const CREATE_PATH = 'v1/videos/generations';
export const TASKS_PATH = 'v1/tasks';

/** Section 1, without what providers replace by a name of their own. */
export const DEFAULT_MODEL_FAMILY = 'videogen-2.5';
const WORKFLOWS = ['text-to-video', 'image-to-video', 'reference-to-video'] as const;
type Workflow = (typeof WORKFLOWS)[number];

export const modelsOf = (family: string): string[] =>
	WORKFLOWS.map((name) => modelOf(family, name));

export const modelOf = (family: string, workflow: Workflow): string => `${family}-${workflow}`;

/** Absolute, and as lenient as the parsers of URLs, which mend a bare % or ö. */
const ABSOLUTE = /^[a-z][a-z\d+.-]*:[^\s\p{Cc}]+$/iu;
const uri = z.string().refine((text) => ABSOLUTE.test(text) && URL.canParse(text), 'must be a URI');

/** Section 2.1: what all three shapes have. */
const common = {
	model: z.string(),
	prompt: z.string().min(1),
	duration: z.number().int().min(4).max(30).optional(),
	quality: z.enum(['480p', '720p']).optional(),
	aspect_ratio: z.enum(['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', 'adaptive']).optional(),
	generate_audio: z.boolean().optional(),
	content_filter: z.boolean().optional(),
	callback_url: uri.optional(),
};

const SHAPES: Record<Workflow, z.ZodType<GenerationRequest>> = {
	'text-to-video': z.strictObject({
		...common,
		model_params: z.object({ web_search: z.boolean().optional() }).passthrough().optional(),
	}),
	'image-to-video': z.strictObject({ ...common, image_urls: z.array(uri).min(1).max(2) }),
	'reference-to-video': z
		.strictObject({
			...common,
			image_urls: z.array(uri).min(1).max(30).optional(),
			video_urls: z.array(uri).min(1).max(10).optional(),
			audio_urls: z.array(uri).min(1).max(10).optional(),
		})
		.refine(
			({ image_urls, video_urls, audio_urls }) => image_urls ?? video_urls ?? audio_urls,
			'At least one of image_urls, video_urls, audio_urls must be present',
		),
};

/** What the simulator uses of an accepted create. */
export interface GenerationRequest {
	model: string;
	prompt: string;
	callback_url?: string;
	image_urls?: string[];
	video_urls?: string[];
	audio_urls?: string[];
}

/** The shape that a `model` selects (section 2.1), if it is one of the three. */
export function shapeOf(model: unknown, family: string): z.ZodType<GenerationRequest> | undefined {
	const workflow = WORKFLOWS.find((name) => modelOf(family, name) === model);
	return workflow && SHAPES[workflow];
}

/** How a task may end; the last three are beyond the contract, at services of this kind. */
export type FinalStatus = 'completed' | 'failed' | 'cancelled' | 'canceled' | 'expired';

export type TaskStatus = 'pending' | 'processing' | FinalStatus;

/** The task record of both endpoints (section 2.2). */
export interface TaskRecord {
	id: string;
	status: TaskStatus;
	model: string;
	progress: number;
	results?: string[];
	error?: unknown;
}
