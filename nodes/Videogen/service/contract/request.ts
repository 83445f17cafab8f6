import { z } from 'zod';
import {
	ASPECT_RATIOS,
	DURATION_SECONDS,
	FRAME_IMAGES,
	PROMPT_MIN_LENGTH,
	QUALITIES,
	REFERENCE_AUDIOS,
	REFERENCE_IMAGES,
	REFERENCE_VIDEOS,
	modelOf,
} from './limits';

const uri = z.string().url();
const uriList = (count: { min: number; max: number }) => z.array(uri).min(count.min).max(count.max);

/** Fields that all three requests share (service-spec.md, section 2.1). */
const commonFields = {
	prompt: z.string().min(PROMPT_MIN_LENGTH),
	duration: z.number().int().min(DURATION_SECONDS.min).max(DURATION_SECONDS.max).optional(),
	quality: z.enum(QUALITIES).optional(),
	aspect_ratio: z.enum(ASPECT_RATIOS).optional(),
	generate_audio: z.boolean().optional(),
	content_filter: z.boolean().optional(),
	callback_url: uri.optional(),
};

/** Body of a text-to-video create; no reference media. Section 2.1. */
export const textVideoRequestSchema = (modelFamily: string) =>
	z
		.object({
			model: z.literal(modelOf(modelFamily, 'text-to-video')),
			...commonFields,
			model_params: z.object({ web_search: z.boolean().optional() }).passthrough().optional(),
		})
		.strict();

/** Body of an image-to-video create: the first frame, or the first and the last. Section 2.1. */
export const imageVideoRequestSchema = (modelFamily: string) =>
	z
		.object({
			model: z.literal(modelOf(modelFamily, 'image-to-video')),
			...commonFields,
			image_urls: uriList(FRAME_IMAGES),
		})
		.strict();

/** Body of a reference-to-video create, before the rule that one list must be present. */
const referenceVideoFields = (modelFamily: string) =>
	z
		.object({
			model: z.literal(modelOf(modelFamily, 'reference-to-video')),
			...commonFields,
			image_urls: uriList(REFERENCE_IMAGES).optional(),
			video_urls: uriList(REFERENCE_VIDEOS).optional(),
			audio_urls: uriList(REFERENCE_AUDIOS).optional(),
		})
		.strict();

/** Body of a reference-to-video create; at least one of the three lists. Section 2.1. */
export const referenceVideoRequestSchema = (modelFamily: string) =>
	referenceVideoFields(modelFamily).refine(
		(request) => request.image_urls ?? request.video_urls ?? request.audio_urls,
		{ message: 'At least one of image_urls, video_urls, audio_urls must be present' },
	);

export type TextVideoRequest = z.infer<ReturnType<typeof textVideoRequestSchema>>;
export type ImageVideoRequest = z.infer<ReturnType<typeof imageVideoRequestSchema>>;
export type ReferenceVideoRequest = z.infer<ReturnType<typeof referenceVideoRequestSchema>>;

/** The body of `POST /v1/videos/generations`; `model` tells the three apart (section 4.1). */
export type GenerationRequest = TextVideoRequest | ImageVideoRequest | ReferenceVideoRequest;
