import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { RunResult } from '../../support/engine';
import { useEngine } from '../../support/useEngine';
import {
	type Fault,
	type RecordedRequest,
	type Rule,
	type TaskPlan,
	DEFAULT_API_KEY,
} from '../../../tools/simulator';
import type { IdempotencyKeys } from '../../../tools/simulator/idempotencyKeys';
import { FAULTS, MADE_UP_ID, MODERATED_STATUS } from './faults';

/** One execution of the node, as a person starts it. */
export interface FaultExecution {
	/** One item for each, all different. */
	prompts: string[];
	settings: Partial<INode>;
	/** Added to the node's parameters. */
	more: IDataObject & { options: IDataObject & { maxNewTasks?: number } };
	/** Whether an expression gives something else on every try, here a random seed. */
	changesByItself?: boolean;
	/** Whether it is *Execute step* in the editor, which knows no more than the n8n process does. */
	isClick?: boolean;
	/** Whether it is a new production execution, which knows nothing of those before, and no Retry. */
	isFired?: boolean;
	/** Whether n8n has started anew before it, or it runs on another worker. */
	isNewProcess?: boolean;
	/** Stops the execution when this many-th of its creates has arrived, before it is answered. */
	stopAtCreate?: number;
}

/** What the service does, and what people do. */
export interface FaultScenario {
	rules?: Rule[];
	plans?: TaskPlan[];
	idempotencyKeys?: IdempotencyKeys;
	/** Clicks are all made; a *Retry execution* only while there is an error. */
	executions: FaultExecution[];
}

interface Done extends FaultExecution {
	result: RunResult;
	/** When it was stopped, in the time of the simulator. */
	stoppedAt?: number;
	/** How many requests there had been when it was over. */
	until: number;
}

/** A task that exists at the service, by the create that made it. */
interface PaidTask {
	id: string;
	create: RecordedRequest;
	/** In which of the executions. */
	execution: number;
}

/** Statuses after which the node itself sends a create again. */
const RATE_LIMITS = FAULTS.flatMap(({ fault, asksToWait }) =>
	asksToWait && fault.kind === 'status' ? [fault.status] : [],
);

/** Answers of status 200 in which the record is as the service has it. */
const TRUE_RECORDS: ReadonlyArray<Fault['kind'] | undefined> = [undefined, 'misplaced'];
const READABLE = [...TRUE_RECORDS, 'unknownStatus'];

/** For so long a file that is not there is asked for again, as docs/limits.md says. */
const FILE_PATIENCE_MS = 120_000;

/** All executions of an account pause together after a rate limit, which outlives the one that met it. */
const LONGEST_PAUSE_MS = 60_000;

/** How many tasks an execution may create where it does not say. */
const USUAL_LIMITS = { click: 10, production: 100 };

/**
 * The built node in the engine against a simulator in virtual time, and the rules that hold
 * whatever goes wrong: nothing lost, nothing paid twice, every item in one place, no key shown.
 *
 * What was paid is for the service to say: how many tasks exist for a prompt. Nothing here knows
 * what the node makes of an answer, so a mistake of the node cannot become one of its judge.
 */
export class FaultScene {
	/** Call it once at the top of a test file. */
	private readonly engine = useEngine({ taskDurationMs: 54_000 });

	readonly simulator = this.engine.simulator;

	private done: Done[] = [];

	private goesOn = false;

	/**
	 * Plays a scenario from its beginning.
	 * @returns how each of its executions ended, as many as there were
	 */
	async play(scenario: FaultScenario): Promise<RunResult[]> {
		const { executions, rules = [], plans = [], idempotencyKeys = 'ignored' } = scenario;
		const { clock, newProcess } = this.engine;
		await clock.rest();
		clock.forgetRequests();
		this.simulator.reset();
		this.done = [];
		let process = newProcess();
		this.simulator.takeIdempotencyKeys(idempotencyKeys);
		for (const rule of rules) this.simulator.script(rule);
		for (const plan of plans) this.simulator.planTask(plan);
		for (const execution of executions) {
			const { status = 'error' } = this.done.at(-1)?.result ?? {};
			if (status !== 'error' && !isNew(execution)) continue;
			if (execution.isNewProcess) process = newProcess();
			await this.execute(execution, process);
		}
		const { length } = this.simulator.requests;
		if (clock.waiting > 0) await clock.sleep(LONGEST_PAUSE_MS);
		this.goesOn = clock.waiting > 0 || this.simulator.requests.length > length;
		return this.done.map(({ result }) => result);
	}

	private async execute(
		execution: FaultExecution,
		process: ReturnType<typeof this.engine.newProcess>,
	): Promise<void> {
		const { prompts, settings, more, changesByItself, isClick, stopAtCreate } = execution;
		const changing = changesByItself && { modelParams: '={{ { seed: Math.random() } }}' };
		const run = this.engine.start(prompts, {
			more: { ...more, options: { ...more.options, ...changing } },
			...{ settings, process, mode: isClick ? 'manual' : 'trigger', direct: this.simulator },
			retryOf: isNew(execution) ? undefined : this.done.at(-1)?.result,
		});
		let creates = 0;
		let stoppedAt: number | undefined;
		const stopListening = this.simulator.onRequest(({ route, at }) => {
			if (route === 'create') creates += 1;
			if (creates !== stopAtCreate || stoppedAt !== undefined) return;
			stoppedAt = at;
			run.cancel();
		});
		const result = await run.result;
		await run.isOver();
		await this.engine.clock.rest();
		stopListening();
		const until = this.simulator.requests.length;
		this.done.push({ ...execution, result, stoppedAt, until });
	}

	/** Everything that is wrong after the executions so far, in words. */
	violations(): string[] {
		const rules = [
			...[this.lost, this.unmentioned, this.sentTooOften, this.sentThoughRefused],
			...[this.sentThoughUnclear, this.overLimit, this.misplaced, this.sentAfterStop],
			...[this.withoutFile, this.kept],
		];
		const ofExecutions = this.done.flatMap((execution, index) =>
			rules
				.flatMap((rule) => rule.call(this, execution, index))
				.map((text) => `execution ${index}: ${text}`),
		);
		const goesOn = this.goesOn ? ['something goes on after the last execution'] : [];
		return [...ofExecutions, ...this.paidTwice(), ...goesOn];
	}

	/** Requests and results, for the one who has to find out why. */
	describe(): string {
		const requests = this.simulator.requests.map(
			({ at, route, prompt, taskId, status, fault }) =>
				`  ${at.toFixed(0)} ${route} "${prompt}" ${taskId ?? ''} → ${status ?? 'none'} ${fault ?? ''}`,
		);
		const results = this.done.map(
			({ result, until }, index) =>
				`  execution ${index}, after ${until} requests: ${result.status} ${shownIn(result)}`,
		);
		return [...requests, ...results].join('\n');
	}

	/** Every id that reached the node is shown, unless its task failed and a later try asks for another. */
	private lost(execution: Done, index: number): string[] {
		const { result } = execution;
		// After a stop, the log is all that is left of it.
		const shown = result.status === 'canceled' ? result.log.join('\n') : shownIn(result);
		// A retry knows what was before; what a click reuses, it reads again.
		const known = isNew(execution) ? this.requestsIn(index) : this.requestsUntil(index);
		const ids = known.flatMap((request) => this.idDelivered(request) ?? []);
		return [...new Set(ids)]
			.filter((id) => !shown.includes(id) && !this.isReplaced(id, index))
			.map((id) => `${id} is lost`);
	}

	private idDelivered({ route, status, fault, taskId }: RecordedRequest): string | undefined {
		if (route === 'create' && fault === 'misplaced') return taskId;
		if (status !== 200) return undefined;
		if (route === 'create' && fault === 'json') return MADE_UP_ID;
		if (route !== 'create' && route !== 'task') return undefined;
		return READABLE.includes(fault) ? taskId : undefined;
	}

	/** Whether an answer has said that it failed, in a try that may not have been the last. */
	private isReplaced(id: string, index: number): boolean {
		const last = this.done[index]?.settings.retryOnFail ? index : index - 1;
		return this.saysFailed(id, this.requestsUntil(last));
	}

	private hadFailed(id: string, atMs: number): boolean {
		const task = this.simulator.tasks.get(id);
		if (task?.plan.outcome !== 'failed') return false;
		const { immediate, durationMs = this.simulator.options.taskDurationMs } = task.plan;
		return immediate === true || task.createdAt + durationMs <= atMs;
	}

	private requestsUntil(index: number): RecordedRequest[] {
		return this.simulator.requests.slice(0, this.done[index]?.until ?? 0);
	}

	private requestsIn(index: number): RecordedRequest[] {
		return this.requestsUntil(index).slice(this.done[index - 1]?.until ?? 0);
	}

	/** Whether a later execution knows by itself what an earlier one has created. */
	private isKnown(earlier: number, later: number): boolean {
		if (earlier === later) return true;
		const between = this.done.slice(earlier + 1, later + 1);
		const other = this.done[later];
		if (other?.isFired) return false;
		// A click knows what its process has created, in production as well.
		if (other?.isClick) return !between.some((next) => next.isNewProcess);
		return !between.some(isNew);
	}

	/** Whether the service makes one task of what is created twice, whoever creates it. */
	private hasDerivedKeys(index: number): boolean {
		const { more } = this.done[index] ?? {};
		return (
			this.simulator.idempotencyKeys === 'honoured' && more?.options.idempotencyKey !== undefined
		);
	}

	private createsIn(index: number): RecordedRequest[] {
		return this.requestsIn(index).filter(({ route }) => route === 'create');
	}

	/** In the order in which they were made. */
	private paidTasks(): PaidTask[] {
		const seen = new Set<string>();
		return this.done.flatMap((_, execution) =>
			this.createsIn(execution).flatMap((create) => {
				const { taskId: id } = create;
				// An answer that is played again is no other task.
				if (id === undefined || seen.has(id)) return [];
				seen.add(id);
				return [{ id, create, execution }];
			}),
		);
	}

	/** Whoever pays for a task whose id never came reads, by its item, that there may be one. */
	private unmentioned(last: Done, index: number): string[] {
		if (this.done.slice(0, index + 1).some(mayResend)) return [];
		return this.paidTasks()
			.filter(
				({ execution, create }) =>
					(isNew(last) ? execution === index : execution <= index) &&
					this.idDelivered(create) === undefined,
			)
			.filter(({ create: { prompt = '' } }) => !saysMayExist(last, last.prompts.indexOf(prompt)))
			.map(({ create }) => `it does not say that "${create.prompt}" may have been paid`);
	}

	/** An item may have a second task only after one of the events that `mayBeReplaced` lists. */
	private paidTwice(): string[] {
		const paid = this.paidTasks();
		return paid.flatMap((task, index) => {
			const { prompt } = task.create;
			const kept = paid
				.slice(0, index)
				.filter(({ create }) => create.prompt === prompt)
				.filter((earlier) => !this.mayBeReplaced(earlier, task));
			return kept.map(({ id }) => `"${prompt}" is paid again although there is ${id}`);
		});
	}

	/**
	 * All that lets a video be paid again. A Retry that a person presses after a clear refusal needs
	 * no word here: what was refused has made no task.
	 */
	private mayBeReplaced(earlier: PaidTask, task: PaidTask): boolean {
		// No automatic try sends again what may have made a task, whatever the person allows.
		const isResendAllowed =
			mayResend(this.done[task.execution]) && earlier.execution < task.execution;
		const cameWithId = this.idDelivered(earlier.create) === earlier.id;
		const isHonoured = this.simulator.idempotencyKeys === 'honoured';
		const { requests } = this.simulator;
		const hasFailed = this.saysFailed(earlier.id, requests.slice(0, requests.indexOf(task.create)));
		const isKnown =
			this.isKnown(earlier.execution, task.execution) ||
			(this.hasDerivedKeys(earlier.execution) && this.hasDerivedKeys(task.execution));
		return (
			!isKnown ||
			(hasFailed && !this.isModerated(earlier, task)) ||
			(isResendAllowed && !cameWithId && !isHonoured)
		);
	}

	/** Whether it has failed for its content, and no person has asked for it again since an answer said so. */
	private isModerated({ id }: PaidTask, { execution }: PaidTask): boolean {
		const error = this.simulator.tasks.get(id)?.plan.error;
		const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
		return code === 'policy' && !this.saysFailed(id, this.requestsUntil(execution - 1));
	}

	/** Whether one of these answers has said that the task failed. */
	private saysFailed(id: string, requests: RecordedRequest[]): boolean {
		return requests.some(
			({ taskId, status, fault, at }) =>
				taskId === id && status === 200 && TRUE_RECORDS.includes(fault) && this.hadFailed(id, at),
		);
	}

	private sentThoughRefused({ prompts }: Done, index: number): string[] {
		const refused = this.createsIn(index).filter(({ status }) => status === MODERATED_STATUS);
		return prompts
			.filter((wanted) => countOf(refused, wanted) > 1)
			.map((prompt) => `"${prompt}" is sent again although it was refused for its content`);
	}

	/**
	 * What may have made a task is sent again only by a person who allows it, once, and never where an
	 * answer has named the task.
	 */
	private sentThoughUnclear(now: Done, index: number): string[] {
		const unclear = this.paidTasks().filter(
			({ create, execution }) =>
				!isRecord(create) && execution <= index && this.isKnown(execution, index),
		);
		const { requests } = this.simulator;
		return unclear.flatMap((task) => {
			const isNamed = this.idDelivered(task.create) === task.id;
			const isAllowed = task.execution < index && mayResend(now) && !isNamed;
			const again = this.createsIn(index)
				.filter((create) => requests.indexOf(create) > requests.indexOf(task.create))
				.filter((create) => keyOf(create) === keyOf(task.create) && isSent(create));
			return again
				.slice(isAllowed ? 1 : 0)
				.map(({ prompt }) => `"${prompt}" is sent again although it may have made a task`);
		});
	}

	/** What more than the limit would be created is not created at all. */
	private overLimit({ more, isClick, prompts }: Done, index: number): string[] {
		const { maxNewTasks = USUAL_LIMITS[isClick ? 'click' : 'production'] } = more.options;
		const made = this.paidTasks().filter(({ execution }) => execution === index).length;
		const isOver = index === 0 && prompts.length > maxNewTasks;
		return [
			...(made > maxNewTasks ? [`it creates ${made} tasks where ${maxNewTasks} may be`] : []),
			...(isOver && this.createsIn(index).length > 0 ? ['it creates some beyond the limit'] : []),
		];
	}

	/** Within a try of the user's, a create is repeated only after a rate limit, as the service asks for. */
	private sentTooOften({ prompts, settings }: Done, index: number): string[] {
		// n8n has one try more where the first item goes out with an error and a later try throws.
		const extra = settings.onError === undefined ? 1 : 0;
		const tries = settings.retryOnFail ? (settings.maxTries ?? 3) + extra : 1;
		const creates = this.createsIn(index).filter(isSent);
		return prompts
			.filter((wanted) => countOf(creates, wanted) > tries)
			.map((prompt) => `"${prompt}" is created more than once in a try`);
	}

	/** Several may have gone out at the same moment as the one at which the execution was stopped. */
	private sentAfterStop({ stoppedAt = Infinity }: Done, index: number): string[] {
		return this.requestsIn(index)
			.filter(({ at }) => at > stoppedAt)
			.map(({ route, prompt }) => `${route} "${prompt}" was sent after the stop`);
	}

	/** Every item in one place and with its own task; or none, and an error. */
	private misplaced({ prompts, settings, result, more }: Done): string[] {
		const { status, output, errorOutput, error } = result;
		if (status === 'canceled') return [];
		const items = [...output, ...errorOutput];
		if (status !== 'success') {
			const isStop = settings.onError === undefined && error?.message && items.length === 0;
			return isStop ? [] : [`it is in status ${status} with ${items.length} items`];
		}
		const wrong: string[] = [];
		const indexes = items.map(indexOf).sort();
		const all = prompts.map((_, index) => index);
		if (String(indexes) !== String(all)) wrong.push(`the items are ${String(indexes)}`);
		for (const outlet of [output, errorOutput]) {
			const order = outlet.map(indexOf);
			if (String([...order].sort()) !== String(order)) wrong.push('an output is out of order');
		}
		for (const item of items) {
			const [index, id] = [indexOf(item), taskIdOf(item)];
			const isForErrors =
				errorOutput.includes(item) ||
				(isErrorItem(item) && settings.onError === 'continueRegularOutput');
			if (isErrorItem(item) !== isForErrors) wrong.push(`item ${index} is in the wrong output`);
			const isEnd = item.json.status === 'completed' && hasResults(item);
			if (more.waitForCompletion && !isErrorItem(item) && !isEnd) {
				wrong.push(`item ${index} is given out without a video, ${String(item.json.status)}`);
			}
			const owner = this.simulator.tasks.get(id)?.prompt;
			if (owner !== undefined && owner !== prompts[index]) {
				wrong.push(`item ${index} has the task of "${owner}"`);
			}
		}
		return wrong;
	}

	/** Who wants files gets them, however late they are, or waits for as long as was said. */
	private withoutFile({ result, more }: Done, index: number): string[] {
		if (!more.downloadResults || result.status === 'canceled') return [];
		const items = [...result.output, ...result.errorOutput];
		const missing = more.waitForCompletion
			? items.filter((item) => !isErrorItem(item) && item.binary === undefined)
			: [];
		const ids = [...items.map(errorIn), result.error?.context]
			.filter((error) => kindIn(error) === 'download')
			.map((error) => String(Reflect.get(error ?? {}, 'taskId')));
		const requests = this.requestsIn(index);
		const givenUp = ids.filter((id) => {
			const tries = requests.filter(({ route, taskId }) => route === 'result' && taskId === id);
			const [first, last] = [tries[0], tries.at(-1)];
			if (!first || !last) return false;
			const hasWaited = last.at >= first.at + FILE_PATIENCE_MS;
			return tries.some(({ status }) => status === 200) || !hasWaited;
		});
		return [
			...missing.map((item) => `item ${indexOf(item)} has no file`),
			...givenUp.map((id) => `the file of ${id} is given up too soon`),
		];
	}

	/** What is never to be there, neither where people look nor in what n8n saves. */
	private kept({ result }: Done): string[] {
		const all = JSON.stringify([shownIn(result), result.data]);
		return all.includes(DEFAULT_API_KEY) ? ['the API key is shown'] : [];
	}
}

const countOf = (requests: RecordedRequest[], wanted: string): number =>
	requests.filter(({ prompt }) => prompt === wanted).length;

const keyOf = ({ headers }: RecordedRequest): unknown => headers['idempotency-key'];

/** Whether it knows nothing of the executions before it but what this process remembers. */
const isNew = ({ isClick, isFired }: FaultExecution): boolean =>
	isClick === true || isFired === true;

/** Whether the node may not send it again by itself, as after a rate limit or without a connection. */
const isSent = ({ status, fault }: RecordedRequest): boolean =>
	!RATE_LIMITS.includes(status ?? 0) && fault !== 'noConnection';

/** Whether an answer has the record of its task, from which the node knows that it exists. */
const isRecord = ({ status, fault }: RecordedRequest): boolean =>
	status === 200 && READABLE.includes(fault);

const mayResend = (execution: FaultExecution | undefined): boolean =>
	execution?.more.options.resendAfterNoReply === true;

/** Whether it says of an item that a task of it may exist. */
function saysMayExist({ result }: Done, item: number): boolean {
	const { status, output, errorOutput, error, log } = result;
	if (status === 'canceled') return log.join().includes(`not confirmed (item ${item + 1})`);
	const ofItem = [...output, ...errorOutput].find((one) => indexOf(one) === item);
	if (ofItem) return kindIn(errorIn(ofItem)) === 'noAnswer';
	const { item: thrown, kind, data }: IDataObject = error?.context ?? {};
	const others: unknown = Reflect.get(Object(data), 'unansweredItems');
	return (
		(thrown === item + 1 && kind === 'noAnswer') || (Array.isArray(others) && others.includes(item))
	);
}

const hasResults = ({ json: { results } }: INodeExecutionData): boolean =>
	Array.isArray(results) && results.length > 0;

/** All that the user gets to see of a run. */
const shownIn = ({ output, errorOutput, error }: RunResult): string =>
	JSON.stringify([output, errorOutput, error?.message, error?.description, error?.context]);

const kindIn = (error: object | undefined): unknown => Reflect.get(error ?? {}, 'kind');

const indexOf = ({ pairedItem }: INodeExecutionData): number =>
	typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : -1;

const errorIn = ({ json }: INodeExecutionData): object | undefined =>
	typeof json.error === 'object' && json.error !== null ? json.error : undefined;

/** An item in place of a task; a failed task's record has an `error` too, but also an id. */
export const isErrorItem = (item: INodeExecutionData): boolean =>
	item.json.id === undefined && errorIn(item) !== undefined;

function taskIdOf(item: INodeExecutionData): string {
	const error = errorIn(item);
	if (!isErrorItem(item) || error === undefined) return String(item.json.id);
	return 'taskId' in error ? String(error.taskId) : '';
}
