import type { Execution } from './executions';
import type { Broken } from './judgePayments';
import type { PlayedTask } from './service';
import type { World } from './world';

type Rule = (world: World) => Broken[];

/** Wrong videos, lost ids, more than the limit, and what is sent again by itself. */
export const brokenOutputs = (world: World): Broken[] => RULES.flatMap((rule) => rule(world));

type Output = Execution['outputs'][number];

const outputsWithTasks = ({ executions, service }: World) =>
	executions.flatMap((execution) =>
		execution.outputs.flatMap((output) => {
			const task = service.tasks.find(({ id }) => id === output.id);
			if (!task) throw new Error(`No task ${output.id}`);
			return [{ execution, output, task }];
		}),
	);

const hasKey = ({ origin }: PlayedTask): boolean => origin.keyText !== '';

function whichOther({ item, wording }: Output, task: PlayedTask): string {
	const { itemId, wording: ofTask } = task.origin;
	if (itemId === item.id && ofTask !== wording)
		return 'output of a wording before the loop changed it';
	if (hasKey(task)) return 'one idempotencyKey, two wishes: output of the other';
	return 'output of another wish';
}

const otherVideos: Rule = (world) =>
	outputsWithTasks(world).flatMap(({ execution, output, task }) => {
		const { item, prompts, now } = output;
		const isOwnPrompt = prompts.includes(task.prompt) || task.prompt === now;
		const isNow = world.scenario.settings.promptKind === 'now' && task.origin.itemId === item.id;
		if (isOwnPrompt || isNow) return [];
		const what = `${execution.id} ${item.id} (${now}) got ${task.id} (${task.prompt})`;
		return [{ rule: whichOther(output, task), what }];
	});

const earlierWordings: Rule = (world) =>
	outputsWithTasks(world).flatMap(({ execution, output, task }) => {
		const { item, wording, now } = output;
		const { itemId, wording: ofTask } = task.origin;
		const isEdited = task.origin.execution.settings.version !== execution.settings.version;
		const isEarlier = itemId === item.id && (isEdited || ofTask !== wording);
		if (!isEarlier || task.prompt === now || hasKey(task)) return [];
		const whoChanged = isEdited ? 'a person edited it' : 'the loop changed it';
		const wants = `v${execution.settings.version}.${wording}`;
		const what = `${execution.id} ${item.id} wants ${wants}, got ${task.id} (${task.prompt})`;
		return [{ rule: `output of a wording before ${whoChanged}`, what }];
	});

const givenTwice: Rule = ({ isTool, executions }) =>
	(isTool ? [] : executions).flatMap(({ id, outputs }) => {
		const twice = outputs.find((one) =>
			outputs.some((other) => other.id === one.id && other.item.id !== one.item.id),
		);
		return twice ? [{ rule: 'one task given out to two items', what: `${id} ${twice.id}` }] : [];
	});

const lostIds: Rule = ({ logged, executions, service, epoch }) => {
	const seen = new Set(logged);
	for (const { outputs, errors } of executions) {
		for (const { id } of outputs) seen.add(id);
		for (const id of errors.flatMap(({ ids }) => ids)) seen.add(id);
	}
	const unsure = new Set(executions.flatMap(({ errors }) => errors.flatMap((one) => one.unsure)));
	return service.tasks.flatMap(({ id, isCharged, isReported, origin }) => {
		const { execution, itemId } = origin;
		if (!isCharged || execution.status === 'crashed' || execution.epoch !== epoch) return [];
		if (isReported && !seen.has(id)) return [{ rule: 'a known id is nowhere', what: id }];
		const isUntold = !isReported && execution.status !== 'canceled' && !unsure.has(itemId);
		const what = `${id} of ${itemId}`;
		return isUntold ? [{ rule: 'a task that may exist is not reported', what }] : [];
	});
};

const overLimit: Rule = ({ executions, service }) =>
	executions.flatMap((execution) => {
		const { id, settings } = execution;
		const { length } = service.tasks.filter(({ origin }) => origin.execution === execution);
		const what = `${id} ${length} > ${settings.maxNewTasks}`;
		return length > settings.maxNewTasks ? [{ rule: 'more than maxNewTasks', what }] : [];
	});

/** Again by itself after a refusal for content, or after it was cancelled or has expired. */
const sentAgain: Rule = ({ scenario, found, service }) => {
	const { settings, flow, wayBack } = scenario;
	// It asks for something else each time.
	if (settings.promptKind === 'now' && (flow === 'tool' || wayBack === 'counter')) return [];
	return found.flatMap(({ execution, itemId, wording, kind, afterRequests }) => {
		const isAgain = service.requests
			.slice(afterRequests)
			.some(
				({ origin }) =>
					origin.execution === execution && origin.itemId === itemId && origin.wording === wording,
			);
		if (kind === 'failed' || !isAgain) return [];
		const what = `${execution.id} ${itemId} after ${kind}`;
		return [{ rule: 'sent again by itself after a final end', what }];
	});
};

const sameEndAgain: Rule = ({ service, executions, found }) => {
	if (executions.some(({ status }) => status === 'crashed')) return [];
	return service.requests.flatMap(({ isReplay, task, origin }, index) => {
		if (!isReplay || !task || task.isCharged) return [];
		const { lineage, id } = origin.execution;
		const wasFound = found.some(
			(one) =>
				one.taskId === task.id && one.execution.lineage === lineage && index >= one.afterRequests,
		);
		const what = `${id} ${origin.itemId} ${task.id}`;
		return wasFound ? [{ rule: 'created anew, and got the ended task again', what }] : [];
	});
};

const RULES = [
	...[otherVideos, earlierWordings, givenTwice, lostIds, overLimit, sentAgain, sameEndAgain],
];
