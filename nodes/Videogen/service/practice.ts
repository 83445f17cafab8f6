import { randomUUID } from 'node:crypto';
import type { Answer, Service } from './types';
import { DEFAULT_MODEL_FAMILY, modelOf, WORKFLOWS } from './contract/limits';
import type { GenerationRequest } from './contract/request';
import { asTask } from './task';

/** How the IDs of practice tasks start. No service uses this prefix. */
const ID_PREFIX = 'practice-';
export const isPracticeId = (taskId: string): boolean => taskId.startsWith(ID_PREFIX);

/** Used in place of the service's URL. No host can have this name (RFC 6761). */
export const PRACTICE_URL = 'https://practice.invalid';

/** Where the results of practice tasks appear to be. */
const RESULTS_URL = `${PRACTICE_URL}/no-video-was-made`;
export const isPracticeResult = (url: string): boolean => url.startsWith(`${RESULTS_URL}/`);

/** How long a task takes: long enough for a read before it is completed. */
const SECONDS = 6;

/** Words in a prompt that simulate the other outcomes. */
const REFUSED = /\[refused\]/i;
const FAILED = /\[failed\]/i;

const FAILURE = { code: 'practice_failed', message: 'Practice: this prompt has [failed] in it.' };

/** A task is pending until this share of its time has passed. */
const PENDING_SHARE = 0.1;

/**
 * A service that creates nothing and contacts nobody, for building workflows. It stores nothing
 * either: everything about a task is in its ID.
 * @param epochMs Milliseconds since 1970.
 */
export const practiceService = (epochMs: () => number): Service => ({
	create: async (request) => await Promise.resolve(created(request, epochMs())),
	read: async (taskId) => await Promise.resolve(recordOf(taskId, epochMs())),
});

function created({ model, prompt }: GenerationRequest, nowMs: number): Answer {
	if (REFUSED.test(prompt)) {
		return refusal(400, 'content_policy_violation', 'this prompt has [refused] in it.');
	}
	const ending = FAILED.test(prompt) ? 'failed' : 'completed';
	const workflow = WORKFLOWS.findIndex((one) => model.endsWith(modelOf('', one)));
	const chance = randomUUID().slice(0, 8);
	return recordOf([`${ID_PREFIX}${nowMs.toString(36)}`, ending, workflow, chance].join('-'), nowMs);
}

/** When a task was created, how it ends, its workflow, and a random part. */
const FACTS = /^practice-([\da-z]{1,9})-(completed|failed)-(\d)-[\da-f]{8}$/;

function recordOf(taskId: string, nowMs: number): Answer {
	const [, createdAt = '', ending, index] = FACTS.exec(taskId) ?? [];
	const workflow = WORKFLOWS[Number(index)];
	const share = (nowMs - Number.parseInt(createdAt, 36)) / (SECONDS * 1_000);
	const onItsWay = share < PENDING_SHARE ? 'pending' : 'processing';
	const status = share >= 1 ? ending : onItsWay;
	const task =
		workflow &&
		asTask({
			id: taskId,
			object: 'video.generation.task',
			model: modelOf(DEFAULT_MODEL_FAMILY, workflow),
			status,
			progress: Math.floor(100 * Math.min(Math.max(share, 0), 1)),
			...(status === 'completed' && { results: [`${RESULTS_URL}/${taskId}.mp4`] }),
			task_info: { can_cancel: false, estimated_time: SECONDS },
			usage: { practice: true },
			...(status === 'failed' && { error: FAILURE }),
		});
	return task
		? { kind: 'task', task }
		: refusal(404, 'task_not_found', 'a practice credential knows only its own tasks.');
}

const refusal = (status: number, code: string, words: string): Answer => ({
	kind: 'error',
	error: { kind: 'status', status, isJson: true, code, serviceMessage: `Practice: ${words}` },
});
