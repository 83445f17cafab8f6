import type { InputItem, PlayedExecution } from './executions';
import type { Broken } from './judgePayments';
import type { PlayedTask } from './service';
import type { World } from './world';

type Rule = (world: World) => Broken[];

/** Wrong videos, lost ids, more than the limit, and what is sent again by itself. */
export const brokenOutputs = (world: World): Broken[] => RULES.flatMap((rule) => rule(world));

/** Whether it is the same item, which the loop has not reworded in between. */
const isSame = (one: InputItem, other: InputItem): boolean =>
	one.id === other.id && one.wording === other.wording;

const wrongVideos: Rule = (world) =>
	world.executions.flatMap((execution) =>
		execution.outputs.flatMap(({ id, item, now }) => {
			const task = world.service.tasks.find((one) => one.id === id);
			if (!task) throw new Error(`No task ${id}`);
			const rule = whichOther(world, execution, item, task);
			if (!rule || task.prompt === now) return [];
			const wants = `v${execution.settings.version}.${item.wording}`;
			const what = `${execution.id} ${item.id} wants ${wants} (${now}), got ${id} (${task.prompt})`;
			return [{ rule, what }];
		}),
	);

/** What is wrong with a task that has another prompt than its item has now. */
function whichOther(
	{ scenario }: World,
	{ settings }: PlayedExecution,
	item: InputItem,
	{ origin, prompt }: PlayedTask,
): string | undefined {
	const hasKey = origin.keyText !== '';
	const isOwn = origin.item.id === item.id;
	const isNow = scenario.settings.promptKind === 'now' && isOwn;
	const isOther = !item.prompts.includes(prompt) && !isNow;
	const isEdited = origin.execution.settings.version !== settings.version;
	if (isOwn && isEdited && !hasKey) return 'output of a wording before a person edited it';
	const isReworded = isOwn && !isSame(origin.item, item);
	if (isReworded && (isOther || !hasKey)) return 'output of a wording before the loop changed it';
	if (!isOther) return undefined;
	return hasKey ? 'one idempotencyKey, two wishes: output of the other' : 'output of another wish';
}

const givenTwice: Rule = ({ isTool, executions }) =>
	(isTool ? [] : executions).flatMap(({ id, outputs }) => {
		const twice = outputs.find((one) =>
			outputs.some((other) => other.id === one.id && other.item.id !== one.item.id),
		);
		return twice ? [{ rule: 'one task given out to two items', what: `${id} ${twice.id}` }] : [];
	});

const lostIds: Rule = ({ logged, executions, service, epoch }) => {
	const unconfirmed = new Set(executions.flatMap((one) => [...one.unconfirmed]));
	return service.tasks.flatMap(({ id, isCharged, isReported, origin }) => {
		const { execution, item } = origin;
		if (!isCharged || execution.status === 'crashed' || execution.epoch !== epoch) return [];
		if (isReported) return logged.has(id) ? [] : [{ rule: 'a known id is not logged', what: id }];
		const isSaid = execution.status === 'canceled' || unconfirmed.has(item.id);
		const what = `${id} of ${item.id}`;
		return isSaid ? [] : [{ rule: 'a task that may exist is not reported', what }];
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
	return found.flatMap(({ execution, item, kind, afterRequests }) => {
		const later = service.requests.slice(afterRequests).map(({ origin }) => origin);
		const isAgain = later.some(
			(origin) => origin.execution === execution && isSame(origin.item, item),
		);
		if (kind === 'failed' || !isAgain) return [];
		const what = `${execution.id} ${item.id} after ${kind}`;
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
		const what = `${id} ${origin.item.id} ${task.id}`;
		return wasFound ? [{ rule: 'created anew, and got the ended task again', what }] : [];
	});
};

const RULES = [wrongVideos, givenTwice, lostIds, overLimit, sentAgain, sameEndAgain];
