import { randomUUID } from 'node:crypto';
import type { Answer, Service } from './answer';
import { DEFAULT_MODEL_FAMILY, modelOf, WORKFLOWS } from './contract/limits';
import { type GenerationRequest, requestSchemas } from './contract/request';
import { asTask } from './task';

/** How the ids of practice tasks begin, and those of no service. */
const ID_PREFIX = 'practice-';
export const isPracticeId = (taskId: string): boolean => taskId.startsWith(ID_PREFIX);

/** A name that no host can have (RFC 6761), in place of the service's. */
export const PRACTICE_URL = 'https://practice.invalid';

/** Where the results of practice tasks seem to be. */
const RESULTS_URL = `${PRACTICE_URL}/no-video-was-made`;
export const isPracticeResult = (url: string): boolean => url.startsWith(`${RESULTS_URL}/`);

/** How long a task takes: long enough for a read on its way. */
const SECONDS = 6;

/** The words in a prompt that play what else can happen. */
const REFUSED = /\[refused\]/i;
const FAILED = /\[failed\]/i;

const FAILURE = { code: 'practice_failed', message: 'Practice: this prompt has [failed] in it.' };

/** Until this share of its time has passed, a task is pending. */
const PENDING_SHARE = 0.1;

/**
 * A service that creates nothing and asks nobody, for building workflows. It keeps nothing either: all
 * that is known of a task stands in its id.
 * @param epochMs Milliseconds since 1970.
 */
export const practiceService = (epochMs: () => number): Service => ({
	create: async (request) => await Promise.resolve(created(request, epochMs())),
	read: async (taskId) => await Promise.resolve(recordOf(taskId, epochMs())),
});

function created(request: GenerationRequest, nowMs: number): Answer {
	const workflow = WORKFLOWS.findIndex((one) => requestSchemas[one].safeParse(request).success);
	if (workflow < 0) return refusal(400, 'invalid_request', 'the request is not valid.');
	const { prompt } = request;
	if (REFUSED.test(prompt)) {
		return refusal(400, 'content_policy_violation', 'this prompt has [refused] in it.');
	}
	const ending = FAILED.test(prompt) ? 'failed' : 'completed';
	const chance = randomUUID().slice(0, 8);
	return recordOf([`${ID_PREFIX}${nowMs.toString(36)}`, ending, workflow, chance].join('-'), nowMs);
}

/** When a task was created, how it ends, which workflow it is of; then chance. */
const FACTS = /^practice-([\da-z]{1,9})-(completed|failed)-(\d)-[\da-f]{8}$/;

function recordOf(taskId: string, nowMs: number): Answer {
	const [, createdAt = '', ending, index] = FACTS.exec(taskId) ?? [];
	const workflow = WORKFLOWS[Number(index)];
	if (workflow === undefined) {
		return refusal(404, 'task_not_found', 'a practice credential knows only its own tasks.');
	}
	const share = (nowMs - Number.parseInt(createdAt, 36)) / (SECONDS * 1_000);
	const onItsWay = share < PENDING_SHARE ? 'pending' : 'processing';
	const status = share >= 1 ? ending : onItsWay;
	const task = asTask({
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
	if (task === undefined) throw new Error('A practice record is no record');
	return { kind: 'task', task };
}

const refusal = (status: number, code: string, words: string): Answer => ({
	kind: 'error',
	error: { kind: 'status', status, isJson: true, code, serviceMessage: `Practice: ${words}` },
});
