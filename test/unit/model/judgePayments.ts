import { type PlayedExecution, isEditor, rootOf, wishOf } from './executions';
import type { PlayedTask } from './service';
import type { World } from './world';

/** A rule that a life has broken, and by what. */
export interface Broken {
	rule: string;
	what: string;
}

/** The name of what a task is for; none where it does not count. */
type NameOf = (task: PlayedTask) => string | undefined;

/** How many tasks there may be for it. */
type AllowedFor = (name: string, tasks: PlayedTask[]) => number;

/** What was paid more often than it was asked for. */
export function brokenPayments(world: World): Broken[] {
	if (world.isTool) return [...tooMany(world, 'tool', callOf), ...brokenKeys(world)];
	const clicks = tooMany(world, 'editor', inEditor(false), askedInEditor(world));
	const rule = 'editor and Retry of a manual execution';
	return [
		...tooMany(world, 'lineage', wishOfItem),
		// The same where the key was edited, but not the prompt.
		...tooMany(world, 'lineage', promptOfItem),
		...(clicks.length > 0 ? clicks : tooMany(world, rule, inEditor(true), askedInEditor(world))),
		...brokenKeys(world),
		...paidByClick(world),
	];
}

/** Charged tasks that belong together, by their name. */
function grouped({ service }: World, nameOf: NameOf): Array<[name: string, tasks: PlayedTask[]]> {
	const groups = new Map<string, PlayedTask[]>();
	for (const task of service.tasks.filter(({ isCharged }) => isCharged)) {
		const name = nameOf(task);
		if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), task]);
	}
	return [...groups];
}

function tooMany(
	world: World,
	rule: string,
	nameOf: NameOf,
	allowedFor: AllowedFor = (_, tasks) => 1 + excuses(world, tasks),
): Broken[] {
	return grouped(world, nameOf).flatMap(([name, tasks]) => {
		const allowed = allowedFor(name, tasks);
		if (tasks.length <= allowed) return [];
		return [{ rule, what: `${name}: ${tasks.map(whose).join(', ')}, allowed are ${allowed}` }];
	});
}

const whose = ({ id, origin }: PlayedTask): string => `${id} by ${origin.execution.id}`;

/** Documented: a crash, and what a person sends again at a service that ignores keys. */
function excuses({ executions, service, scenario }: World, tasks: PlayedTask[]): number {
	const lineages = new Set(tasks.map(({ origin }) => origin.execution.lineage));
	const crashes = executions.filter(
		({ status, lineage }) => status === 'crashed' && lineages.has(lineage),
	).length;
	if (scenario.service.keys !== 'ignore') return crashes;
	const unanswered = tasks.filter(({ isReported }) => !isReported);
	const isSentAgain = (execution: PlayedExecution, { key, origin }: PlayedTask) =>
		execution !== origin.execution &&
		service.requests.some((one) => one.origin.execution === execution && one.key === key);
	const resent = executions
		.filter(({ settings, mode }) => settings.resendAfterNoReply && mode !== 'webhook')
		.flatMap((execution) => unanswered.filter((task) => isSentAgain(execution, task)));
	return crashes + resent.length;
}

/** An execution and its Retries: one for each item and each wording of a person and of the loop. */
const promptOfItem = ({ origin: { execution, item } }: PlayedTask): string =>
	`${execution.lineage}|${item.id}|prompt v${execution.settings.version}.${item.wording}`;

const wishOfItem = (task: PlayedTask): string =>
	`${promptOfItem(task)}|key ${task.origin.execution.settings.keyField}`;

const callOf = ({ origin, prompt }: PlayedTask): string =>
	`${origin.execution.lineage}|${wishOf(prompt, origin.keyText)}`;

/** A request with another Callback URL is another one, and what another process did is not known. */
const placeOf = ({ epoch, worker, settings }: PlayedExecution): string =>
	`${epoch}.${worker}.${settings.callback}`;

/** Until the process crashes, and while videos are reused. */
const inEditor =
	(withRetries: boolean): NameOf =>
	({ origin: { execution, keyText }, prompt }) => {
		const reuses = execution.settings.reuseInEditor && rootOf(execution).settings.reuseInEditor;
		const counts = isEditor(execution) && (withRetries || execution.mode === 'manual');
		return reuses && counts ? `${placeOf(execution)}|${wishOf(prompt, keyText)}` : undefined;
	};

/** As many as items asked for it in one execution. */
const askedInEditor =
	(world: World): AllowedFor =>
	(name, tasks) => {
		const [place] = name.split('|');
		const wish = name.slice(name.indexOf('|') + 1);
		const asking = world.executions.filter((one) => isEditor(one) && placeOf(one) === place);
		const most = Math.max(1, ...asking.map(({ asked }) => asked.get(wish)?.size ?? 0));
		return most + excuses(world, tasks);
	};

/**
 * A click does not pay for what its process already has: as many equal tasks as the execution has
 * items that ask for them.
 */
function paidByClick({ service }: World): Broken[] {
	const broken = service.tasks.find((task, index) => {
		const { execution, keyText } = task.origin;
		const { mode, settings, hasOverlap, asked } = execution;
		const counts = task.isCharged && mode === 'manual' && settings.reuseInEditor && !hasOverlap;
		if (!counts) return false;
		const there = service.tasks.slice(0, index).filter((one) => isKnownBefore(one, task));
		return there.length >= (asked.get(wishOf(task.prompt, keyText))?.size ?? 1);
	});
	return broken ? [{ rule: 'a click pays for what exists', what: whose(broken) }] : [];
}

/** What is sent again has the Callback URL of its first send, whatever was edited since. */
function isKnownBefore(one: PlayedTask, task: PlayedTask): boolean {
	const { execution, keyText } = one.origin;
	const { origin, prompt, callbackUrl } = task;
	const isEqual =
		one.prompt === prompt && keyText === origin.keyText && one.callbackUrl === callbackUrl;
	const isElsewhere = execution === origin.execution || execution.hasOverlap;
	const isSameProcess =
		execution.epoch === origin.execution.epoch && execution.worker === origin.execution.worker;
	return one.isCharged && one.isReported && isEqual && isSameProcess && !isElsewhere;
}

/** At a service that honours keys: one for a text and request, whatever happens. */
function brokenKeys(world: World): Broken[] {
	const { settings, service, wayBack, hasEqualKeys } = world.scenario;
	const changes = settings.promptKind === 'now' || wayBack === 'reword' || wayBack === 'rewordAll';
	if (service.keys === 'ignore' || hasEqualKeys || changes) return [];
	// A text with the execution's id is another one in each execution.
	const nameOf: NameOf = ({ prompt, origin: { keyText, item } }) =>
		keyText === '' || keyText.includes('-E')
			? undefined
			: `${prompt}|${keyText}|${item.id.split('.')[1]}`;
	return tooMany(world, 'promise of idempotencyKey', nameOf, () => 1);
}
