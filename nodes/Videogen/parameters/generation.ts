import {
	ASPECT_RATIOS,
	DEFAULT_ASPECT_RATIO,
	DURATION_SECONDS,
	QUALITIES,
} from '../service/contract/limits';
import type { FieldGuide } from './checkRequest';
import { InvalidParameter, notAllowed } from './invalidParameter';
import { LABELS } from './labels';
import type { Parameters } from './values';
import { TRUE_OR_FALSE, booleanFrom, collection, numberFrom, switchFrom, textFrom } from './values';
import { webAddress } from './urls';

/** How many unfinished tasks a run keeps at the service. The contract shows no account limit. */
export const MAX_CONCURRENT_TASKS = { min: 1, default: 20 } as const;

/** The editor's words for the properties that all requests share. */
export const GENERATION_GUIDES: Record<string, FieldGuide> = {
	prompt: { label: LABELS.prompt, allowed: 'Describe the video in words.' },
	duration: {
		label: LABELS.duration,
		allowed: `It is a whole number of seconds from ${DURATION_SECONDS.min} to ${DURATION_SECONDS.max}.`,
	},
	quality: { label: LABELS.quality, allowed: `It is one of: ${QUALITIES.join(', ')}.` },
	aspect_ratio: {
		label: LABELS.aspectRatio,
		allowed: `It is one of: ${ASPECT_RATIOS.join(', ')}.`,
	},
	generate_audio: { label: LABELS.generateAudio, allowed: TRUE_OR_FALSE },
	content_filter: { label: LABELS.contentFilter, allowed: TRUE_OR_FALSE },
	callback_url: { label: LABELS.callbackUrl, allowed: 'It is a full web address.' },
};

/**
 * The properties that all requests share, from an item's parameters, still to be held against the
 * contract. Optional ones are there only when the user asked for something.
 */
export function generationProperties(parameters: Parameters): Record<string, unknown> {
	const options = collection(parameters, 'options');
	const properties = {
		prompt: promptFrom(parameters.get('prompt')),
		// Always sent (interface.md), so an expression that gives nothing is a mistake.
		duration: numberFrom(parameters.get('duration')) ?? null,
		quality: parameters.get('quality') ?? null,
		aspect_ratio: aspectRatioFrom(parameters.get('aspectRatio')),
		generate_audio: booleanFrom(options.generateAudio),
		content_filter: booleanFrom(options.contentFilter),
		callback_url: webAddress(LABELS.callbackUrl, options.callbackUrl),
	};
	return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}

function promptFrom(value: unknown): unknown {
	const prompt = textFrom(value);
	if (typeof prompt === 'string' && prompt.trim() === '') {
		throw new InvalidParameter(LABELS.prompt, 'is empty.', 'Describe the video in words.');
	}
	return prompt;
}

/** `adaptive` is what the service does by itself, so it is not sent (interface.md). */
const aspectRatioFrom = (value: unknown): unknown =>
	value === DEFAULT_ASPECT_RATIO ? undefined : (value ?? null);

/** How the node treats creates besides what it sends. */
export interface CreateSettings {
	maxConcurrentTasks: number;
	resendAfterNoReply: boolean;
}

/**
 * The item's settings for its create.
 * @throws InvalidParameter naming the option
 */
export function createSettingsFrom(parameters: Parameters): CreateSettings {
	const options = collection(parameters, 'options');
	const max = numberFrom(options.maxConcurrentTasks ?? MAX_CONCURRENT_TASKS.default);
	if (typeof max !== 'number' || !Number.isInteger(max) || max < MAX_CONCURRENT_TASKS.min) {
		throw new InvalidParameter(
			LABELS.maxConcurrentTasks,
			notAllowed(options.maxConcurrentTasks),
			`It is a whole number, at least ${MAX_CONCURRENT_TASKS.min}.`,
		);
	}
	return {
		maxConcurrentTasks: max,
		resendAfterNoReply: switchFrom(LABELS.resendAfterNoReply, options.resendAfterNoReply ?? false),
	};
}
