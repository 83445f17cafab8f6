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

const uri = z.string().url();
const uriList = (count: { min: number; max: number }) => z.array(uri).min(count.min).max(count.max);

/** Fields that all three requests share (service-spec.md, section 2.1). */
export const commonFields = {
	prompt: z.string().min(1),
	duration: z.number().int().min(DURATION_SECONDS.min).max(DURATION_SECONDS.max).optional(),
	quality: z.enum(QUALITIES).optional(),
	aspect_ratio: z.enum(ASPECT_RATIOS).optional(),
	generate_audio: z.boolean().optional(),
	content_filter: z.boolean().optional(),
	callback_url: uri.optional(),
};

/** A workflow's request for a provider's model family: the shared fields, its own, and no other. */
const requestSchema = <Own extends z.ZodRawShape>(
	workflow: Workflow,
	modelFamily: string,
	own: Own,
) =>
	z.object({ model: z.literal(modelOf(modelFamily, workflow)), ...commonFields, ...own }).strict();

/** Body of a text-to-video create; no reference media. Section 2.1. */
export const textVideoRequestSchema = (modelFamily: string) =>
	requestSchema('text-to-video', modelFamily, {
		model_params: z.object({ web_search: z.boolean().optional() }).passthrough().optional(),
	});

/** Body of an image-to-video create: the first frame, or the first and the last. Section 2.1. */
export const imageVideoRequestSchema = (modelFamily: string) =>
	requestSchema('image-to-video', modelFamily, { image_urls: uriList(FRAME_IMAGES) });

/** Body of a reference-to-video create; at least one of the three lists. Section 2.1. */
export const referenceVideoRequestSchema = (modelFamily: string) =>
	requestSchema('reference-to-video', modelFamily, {
		image_urls: uriList(REFERENCE_IMAGES).optional(),
		video_urls: uriList(REFERENCE_VIDEOS).optional(),
		audio_urls: uriList(REFERENCE_AUDIOS).optional(),
	}).refine((request) => request.image_urls ?? request.video_urls ?? request.audio_urls, {
		message: 'At least one of image_urls, video_urls, audio_urls must be present',
	});

/** The body of `POST /v1/videos/generations`; `model` tells the three apart (section 4.1). */
export type GenerationRequest =
	| z.infer<ReturnType<typeof textVideoRequestSchema>>
	| z.infer<ReturnType<typeof imageVideoRequestSchema>>
	| z.infer<ReturnType<typeof referenceVideoRequestSchema>>;
