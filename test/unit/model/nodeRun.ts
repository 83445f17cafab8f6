import { Downloads } from '../../../nodes/Videogen/files/download';
import { unconfirmedItems } from '../../../nodes/Videogen/run/errors';
import { askedBy, fieldsHashOf, identityOf } from '../../../nodes/Videogen/run/identity';
import { itemErrorOf } from '../../../nodes/Videogen/run/output';
import type { GenerationRequest } from '../../../nodes/Videogen/service/contract/request';
import type { Answer, Service } from '../../../nodes/Videogen/service/types';
import { ENDED, onAbort, Timer } from '../../../nodes/Videogen/shared/clock';
import { Semaphore } from '../../../nodes/Videogen/shared/semaphore';
import { Creating } from '../../../nodes/Videogen/work/creating';
import { finishAll } from '../../../nodes/Videogen/work/finish';
import { Ledger } from '../../../nodes/Videogen/work/ledger';
import {
	type CreateJob,
	type CreatePlan,
	type Job,
	type Result,
	type Session,
	taskIdIn,
} from '../../../nodes/Videogen/work/session';
import { planOf, productionScope } from '../../support/orders';
import { NO_FILES } from '../../support/work';
import type { DueRun, PlayedExecution, InputItem, ItemEnd } from './executions';
import type { PlayedTask } from './service';
import type { World } from './world';

/** How often a task is read, so that the timeout is so many reads. */
const INTERVAL_MS = 5_000;

/** How long requests take, each way. Some creates take long. */
const CREATE_MS = { usual: 4_000, long: 40_000 };
const READ_MS = 1_000;
const LONG_ONE_IN = 10;

const ACCOUNT = { apiKey: 'key', baseUrl: 'https://service.example', modelFamily: 'videogen-2.5' };

/** The node's ledger, which tells the item that a create is for. */
class WatchedLedger extends Ledger {
	creates: readonly CreateJob[] = [];

	override async assign(...given: Parameters<Ledger['assign']>): Promise<Job[]> {
		const jobs = await super.assign(...given);
		this.creates = jobs.filter((job) => job.do === 'create');
		return jobs;
	}
}

/** A run of the node itself, from its plans to what came of them, with the played service. */
export class PlayedRun implements Service {
	/** What `$now` gives in this try. */
	private readonly now: number;

	private readonly ledger: WatchedLedger;

	constructor(
		private readonly world: World,
		private readonly execution: PlayedExecution,
		private readonly due: DueRun,
	) {
		world.now += 1;
		this.now = world.now;
		const { memory } = world.processOf(execution);
		const scope = productionScope({
			executionId: execution.id,
			run: due.run,
			isTool: world.isTool,
			isManual: execution.mode === 'manual',
		});
		this.ledger = new WatchedLedger(scope, memory, execution.context);
	}

	/** As `executeVideogen` does, without n8n's objects. */
	async finish(): Promise<ItemEnd[]> {
		const { execution, ledger } = this;
		const ending = new AbortController();
		const end = () => ending.abort(ENDED);
		const unlink = onAbort(execution.stop.signal, end);
		try {
			const timer = new Timer(this.world.time, ending.signal);
			const session = this.sessionWith(timer);
			const { results } = await finishAll(session, this.plans(), execution.settings.maxNewTasks);
			return results.flatMap((result) => this.endOf(result));
		} finally {
			ledger.close();
			unlink();
			end();
		}
	}

	promptOf({ json }: InputItem): string {
		const { promptField } = this.execution.settings;
		return promptField.replace('{{now}}', `${this.now}`).replace('{{p}}', json.p).trim();
	}

	keyTextOf({ json }: InputItem): string {
		const { id, settings } = this.execution;
		return settings.keyField.replace('{{k}}', json.k).replace('{{exec}}', id);
	}

	/** A create on its way to the service, and its answer on the way back. */
	async create(
		{ prompt, callback_url: callbackUrl }: GenerationRequest,
		key: string,
	): Promise<Answer> {
		const { world, execution, due } = this;
		const { time } = world;
		const origin = this.originOf(key);
		const isLong = time.random() * LONG_ONE_IN < 1;
		await time.pass(isLong ? CREATE_MS.long : CREATE_MS.usual);
		const { answer, task } = world.service.create({ prompt, callbackUrl, key, origin });
		const what = { item: origin.item.id, run: due.run, prompt, key, answer, fate: task?.fate };
		world.trace.push(`${execution.id} create: ${JSON.stringify(what)}`);
		await time.pass(isLong ? CREATE_MS.long : CREATE_MS.usual);
		return answer;
	}

	async read(id: string): Promise<Answer> {
		const { service, time } = this.world;
		await time.pass(READ_MS);
		const answer = service.read(id);
		await time.pass(READ_MS);
		return answer;
	}

	private originOf(key: string): PlayedTask['origin'] {
		const job = this.ledger.creates.find(({ order }) => order.key === key);
		const item = job && this.due.items[job.plan.index];
		if (!item) throw new Error(`No item has the key ${key}`);
		return { execution: this.execution, item, keyText: job.order.asked.keyText };
	}

	private sessionWith(timer: Timer): Session {
		const { world, execution } = this;
		return {
			executionId: execution.id,
			timer,
			service: this,
			baseUrl: ACCOUNT.baseUrl,
			gates: world.processOf(execution).gates.of(ACCOUNT),
			ledger: this.ledger,
			creating: new Creating(timer),
			places: new Semaphore(execution.settings.maxConcurrentTasks),
			downloads: new Downloads(NO_FILES, timer),
			log: { task: (_, id) => void world.logged.add(id) },
			isTool: world.isTool,
			continues: execution.settings.onError !== 'stop',
		};
	}

	/** What the items ask for, by the node's own hashes. */
	private plans(): CreatePlan[] {
		const { settings } = this.execution;
		const parameters = { operation: 'createTextVideo', prompt: `=${settings.promptField}` };
		const connection = { ...ACCOUNT, isPractice: false, service: this };
		const identity = identityOf(parameters, connection);
		return this.due.items.map((item, index) => {
			const { error, ...json } = item.json;
			const request = {
				model: 'videogen-2.5-text-to-video',
				prompt: this.promptOf(item),
				...(settings.callback && { callback_url: settings.callback }),
			};
			const own = { ...settings, idempotencyKey: this.keyTextOf(item) };
			const values = { request, files: [], settings: own };
			return planOf('', {
				index,
				returned: error && { orderId: error.orderId },
				wait: { intervalMs: INTERVAL_MS, timeoutMs: settings.timeout * INTERVAL_MS },
				asked: askedBy(identity, values, fieldsHashOf(identity.parametersHash, json)),
				settings: own,
			});
		});
	}

	private endOf(result: Result): ItemEnd[] {
		const item = this.due.items[result.job.plan.index];
		const { failure } = result.outcome;
		if (!item) return [];
		return [
			{
				item,
				taskId: taskIdIn(result.job),
				isUnconfirmed: failure?.kind === 'noAnswer' || unconfirmedItems([result]).length > 0,
				error: failure && itemErrorOf(result, failure),
			},
		];
	}
}
