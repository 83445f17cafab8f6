import { isEditor, type PlayedExecution } from './executions';
import { N8n } from './n8n';
import type { Edit, PlayedSettings, Start } from './scenario';
import type { World } from './world';

const MAX_STEPS = 5_000;

/** How often each way to bring a life to its end is tried, once everything is well again. */
const TRIES = 3;

/** A person, who runs the workflow, retries, edits and stops. */
export class Person {
	private readonly n8n: N8n;

	/** The number of the last prompt that was never before. */
	version = 1;

	/** The prompt before the last edit. */
	before: Partial<PlayedSettings> = {};

	constructor(readonly world: World) {
		this.n8n = new N8n(world);
	}

	/** Does what the scenario says. */
	async live(): Promise<void> {
		for (const action of this.world.scenario.actions) {
			if ('edit' in action) this.edit(action.edit);
			else await this.start(action);
		}
		await this.settle();
	}

	/**
	 * @param way Words: `retry` or `anew`, and what is changed before.
	 * @returns whether this way brings an end, when everything is well again
	 */
	async end(way: string): Promise<boolean> {
		const { world } = this;
		const { service, settings } = world;
		service.isHealthy = true;
		world.scenario = { ...world.scenario, laterFailure: 0, unreadable: 0 };
		let last = lastOf(world);
		const anew = isEditor(last) ? 'click' : 'run';
		settings.timeout = 12;
		const words = way.split(' ');
		const start = words.includes('anew') ? anew : 'retry';
		if (words.includes('max')) settings.maxNewTasks = 99;
		if (words.includes('resend')) settings.resendAfterNoReply = true;
		if (words.includes('edit')) this.edit('prompt');
		if (words.includes('key')) this.edit('key');
		for (let tries = 0; tries < TRIES && !isWell(world, last); tries += 1) {
			if (start === 'retry' && !canRetry(last)) break;
			await this.start({ start });
			last = lastOf(world);
		}
		return isWell(world, last);
	}

	private async settle(): Promise<void> {
		for (let steps = 0; (await this.world.step()) && steps < MAX_STEPS; steps += 1);
	}

	private edit(edit: Edit): void {
		EDITS[edit](this.world.settings, this);
		this.world.trace.push(`edit ${edit}`);
	}

	private async start(action: Start): Promise<void> {
		const { world, n8n } = this;
		const { start, position } = action;
		const retriable = this.retriable(action);
		const nth = Math.floor((position ?? 0.999) * retriable.length);
		const from = start === 'retry' ? retriable[nth] : undefined;
		if (start === 'retry' && !from) return;
		const mode = from ? 'retry' : start === 'click' ? 'manual' : 'webhook';
		const running = [n8n.start(mode, from)];
		if (action.hasSecondTab) {
			const steps = Math.floor(world.random() * 8);
			for (let step = 0; step < steps && running.some(isRunning); step += 1) await world.step();
			running.push(n8n.start('manual'));
			for (const execution of running) execution.hasOverlap = true;
		}
		const endAt = action.stopAt ?? action.crashAt;
		for (let steps = 0; running.some(isRunning); steps += 1) {
			if (steps === endAt) {
				if (action.crashAt !== undefined) return world.crash();
				for (const execution of running) n8n.stop(execution);
				break;
			}
			if (steps > MAX_STEPS) throw new Error('endless');
			if (!(await world.step()) && running.some(isRunning)) throw new Error('deadlock');
		}
		if (action.settles) await this.settle();
	}

	/** n8n offers Retry for what ended in an error. */
	private retriable({ position }: Start): PlayedExecution[] {
		const { executions } = this.world;
		const isDone = (execution: PlayedExecution) =>
			executions.some(
				(one) => one.from === execution && (one.status === 'success' || position === undefined),
			);
		return executions.filter((execution) => canRetry(execution) && !isDone(execution));
	}
}

const EDITS: Record<Edit, (settings: PlayedSettings, person: Person) => void> = {
	prompt(settings, person) {
		const { promptField, version } = settings;
		person.before = { promptField, version };
		person.version += 1;
		settings.version = person.version;
		const kept = promptField.replace(/ v\d+$/, '').replace('bad', 'good');
		settings.promptField = `${kept} v${settings.version}`;
	},
	back: (settings, { before }) => Object.assign(settings, before),
	cosmetic: (settings) => (settings.promptField += ' '),
	timeout: (settings) => (settings.timeout = settings.timeout === 2 ? 6 : 2),
	key(settings, { world }) {
		settings.keyEdits += 1;
		const isCleared = settings.keyField !== '' && world.random() < 0.3;
		settings.keyField = isCleared ? '' : `{{k}}-${settings.keyEdits}`;
	},
	callback: (settings, { world }) => (settings.callback = `https://example.com/cb${world.now}`),
	resendOn: (settings) => (settings.resendAfterNoReply = true),
	resendOff: (settings) => (settings.resendAfterNoReply = false),
	onError: (settings) => (settings.onError = settings.onError === 'stop' ? 'continue' : 'stop'),
	max: (settings) => (settings.maxNewTasks = 99),
	reuse: (settings) => (settings.reuseInEditor = !settings.reuseInEditor),
};

const canRetry = ({ status }: PlayedExecution): boolean =>
	status === 'error' || status === 'crashed';

const isRunning = ({ status }: PlayedExecution): boolean => status === 'running';

export function lastOf({ executions }: World): PlayedExecution {
	const last = executions.at(-1);
	if (!last) throw new Error('Nothing was executed');
	return last;
}

/** Whether every item of a line of Retries went out without an error. */
export function isWell({ scenario }: World, last: PlayedExecution): boolean {
	const given = new Set<string>();
	for (let one: PlayedExecution | undefined = last; one; one = one.from) {
		for (const { item } of one.outputs) given.add(item.id);
	}
	const ids = Array.from({ length: scenario.itemCount }, (_, index) => `${last.lineage}.${index}`);
	return last.status === 'success' && ids.every((id) => given.has(id));
}
