import { z } from 'zod';
import {
	ASPECT_RATIOS,
	DURATION_SECONDS,
	FRAME_IMAGES,
	modelOf,
	QUALITIES,
	REFERENCE_AUDIOS,
	REFERENCE_IMAGES,
	REFERENCE_VIDEOS,
	type Workflow,
} from './limits';

/** Sent exactly as written; zod 4's own URL type would rewrite it. */
const uri = z.string().refine((text) => URL.canParse(text));
const uriList = (count: { min: number; max: number }) => z.array(uri).min(count.min).max(count.max);

/** Fields that all three requests share (docs/internals/service-contract.md, section 2.1). */
export const commonFields = {
	prompt: z.string().min(1),
	duration: z.number().int().min(DURATION_SECONDS.min).max(DURATION_SECONDS.max).optional(),
	quality: z.enum(QUALITIES).optional(),
	aspect_ratio: z.enum(ASPECT_RATIOS).optional(),
	generate_audio: z.boolean().optional(),
	content_filter: z.boolean().optional(),
	callback_url: uri.optional(),
};

/** A workflow's request, for models of any family: the shared fields, its own, and no others. */
const requestSchema = <Own extends z.ZodRawShape>(workflow: Workflow, own: Own) =>
	z.object({ model: z.string().endsWith(modelOf('', workflow)), ...commonFields, ...own }).strict();

/**
 * The bodies of `POST /v1/videos/generations` (section 4.1). `model` tells them apart; section 2.1
 * lists their media.
 */
export const requestSchemas = {
	/** No reference media. */
	'text-to-video': requestSchema('text-to-video', {
		model_params: z.object({ web_search: z.boolean().optional() }).passthrough().optional(),
	}),
	/** The first frame, or the first and the last. */
	'image-to-video': requestSchema('image-to-video', { image_urls: uriList(FRAME_IMAGES) }),
	/** At least one of the three lists. */
	'reference-to-video': requestSchema('reference-to-video', {
		image_urls: uriList(REFERENCE_IMAGES).optional(),
		video_urls: uriList(REFERENCE_VIDEOS).optional(),
		audio_urls: uriList(REFERENCE_AUDIOS).optional(),
	}).refine((request) => request.image_urls ?? request.video_urls ?? request.audio_urls, {
		message: 'At least one of image_urls, video_urls, audio_urls must be present',
	}),
} satisfies Record<Workflow, unknown>;

export type GenerationRequest = z.infer<(typeof requestSchemas)[Workflow]>;
