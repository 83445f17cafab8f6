import { seededRandom } from '../../../tools/seededRandom';
import { pick, type Random, type Weights } from './random';
import type { Fate, PlayedFault } from './service';

type Flow = 'plain' | 'loop' | 'batch' | 'tool';

/** What a person changes between executions. */
export type Edit =
	| ('prompt' | 'back' | 'cosmetic' | 'timeout' | 'key' | 'callback')
	| ('resendOn' | 'resendOff' | 'onError' | 'max' | 'reuse');

/** What a person does to start an execution. */
export interface Start {
	start: 'click' | 'run' | 'retry';
	/**
	 * Which of those that can be retried, from 0 to below 1. Without it the last one, and none that
	 * was retried before.
	 */
	position?: number;
	/** Steps after which a person stops it, or the process dies. */
	stopAt?: number;
	crashAt?: number;
	/** A second click while it runs. */
	hasSecondTab?: boolean;
	/** Whether everything under way ends before the next action. */
	settles?: boolean;
}
type Action = { edit: Edit } | Start;

/** Everything that a life is about, before chance goes on in it. */
export type LifeScenario = ReturnType<typeof scenarioOf>;

/** Which lives are played. */
export interface LifeKind {
	/** Whether the lives are in the editor; by chance without it. */
	editor?: boolean;
	/** Executions are retried more than once. */
	branch?: boolean;
	/** Two clicks at once. */
	tabs?: boolean;
	/** Each life is also brought to its end, in each way that a person may try. */
	endings?: boolean;
	/** Prompts also get blanks, and are edited back. */
	soft?: boolean;
	/** What began in the editor is not retried. */
	noManualRetry?: boolean;
	/** In so many processes; in one without it. */
	workers?: number;
	/** Clicks in the editor on what production has created. */
	debug?: boolean;
}

/** A random life. Half of them are small, as those explain more. */
export function scenarioOf(seed: number, kind: LifeKind) {
	const random = seededRandom(seed * 31 + 5);
	const isSmall = random() < 0.5;
	const chance = (likelihood: number) => random() < likelihood;
	const flow = pick(random, { plain: 5, loop: 3, batch: 1.5, tool: 1 });
	const isEditor = kind.editor ?? chance(0.4);
	const settings = settingsOf(random, flow, isSmall, kind);
	const service = serviceOf(random, isSmall ? 0.35 : 0.5);
	return {
		...{ flow, settings },
		actions: actionsOf(random, { flow, isEditor, isSmall, kind }),
		workers: kind.workers ?? 1,
		itemCount: 1 + Math.floor(random() * (isSmall ? 2 : 4)),
		hasEqualItems: chance(0.35),
		hasEqualKeys: chance(0.08) && !kind.endings,
		/** What the way back from the error output does to an item. */
		wayBack: pick(random, { plain: 3, counter: 1, reword: 1, rewordAll: 0.5 }),
		comesBackReversed: chance(0.3),
		/** How likely another node of the loop fails, in each round. */
		laterFailure: flow === 'loop' && chance(0.3) ? 0.4 : 0,
		/** Whether an agent calls its tools at once. */
		callsAtOnce: chance(0.5),
		/** How likely a node context cannot be read any more. */
		unreadable: chance(0.03) ? 0.5 : 0,
		service: {
			...service,
			/** What it does with a key that it knows: a task of its own, the same record, or a 409. */
			keys: pick(random, { ignore: 4, replay: 4, conflict: 2 }),
			/** Whether it may refuse a request whose key it knows. */
			checkFirst: chance(0.5),
			/** Whether it gives a refusal again under the same key. */
			keepErrors: chance(0.15),
			/** Whether it answers 409 when another prompt comes under a key that it knows. */
			bodyCheck: chance(0.6),
		},
	};
}

const PROMPT_FIELDS = { json: '{{p}}', fixed: 'sun', now: '{{p}} at {{now}}' };

/** The fields of the node, as the person has filled them in. */
export type PlayedSettings = ReturnType<typeof settingsOf>;

function settingsOf(random: Random, flow: Flow, isSmall: boolean, kind: LifeKind) {
	const chance = (likelihood: number) => random() < likelihood;
	const promptKind = pick(random, { json: 4, fixed: 2, now: 2 });
	const bad = chance(0.12) && !kind.endings ? 'bad ' : '';
	return {
		promptKind,
		/** Counts the edits of the prompt. */
		version: 1,
		/** With `{{p}}` of the item and `{{now}}`, which differs at each try. */
		promptField: bad + PROMPT_FIELDS[promptKind],
		/** `idempotencyKey`, with `{{k}}` of the item and `{{exec}}`; empty for none. */
		keyField: chance(0.3) ? (chance(0.15) ? '{{k}}-{{exec}}' : '{{k}}') : '',
		keyEdits: 0,
		callback: '',
		resendAfterNoReply: chance(0.25),
		reuseInEditor: true,
		onError: flow === 'loop' ? ('errorOutput' as const) : pick(random, { continue: 3, stop: 7 }),
		/** 1 without Retry On Fail. */
		tries: isSmall ? 1 : 1 + Math.floor(random() * 3),
		maxNewTasks: chance(0.2) ? 1 + Math.floor(random() * 3) : 99,
		/** In reads. */
		timeout: chance(0.5) ? 2 : 6,
		maxConcurrentTasks: chance(0.2) ? 1 : 20,
	};
}

/** @param calm The more, the fewer creates go wrong. */
function serviceOf(random: Random, calm: number) {
	const faults: Weights<PlayedFault> =
		random() < 0.15
			? { ok: 1 }
			: {
					...{ ok: 6 * calm + 1, lostAfter: 2, lostBefore: 1, bad: 0.5, balance: 1, content: 0.7 },
					...{ key: 0.3, rate: 0.7, busy: 0.4, named: 0.7, noConnection: 0.4, html: 0.4 },
				};
	const fates: Weights<Fate> =
		random() < 0.3
			? { completed: 1 }
			: { completed: 3, long: 1.2, failed: 1.2, content: 0.5, expired: 0.5, cancelled: 0.3 };
	return { faults, fates };
}

interface Person {
	flow: Flow;
	isEditor: boolean;
	isSmall: boolean;
	kind: LifeKind;
}

function actionsOf(random: Random, person: Person): Action[] {
	const count = 1 + Math.floor(random() * (person.isSmall ? 3 : 6));
	const actions: Action[] = [];
	for (let index = 0; index < count; index += 1) {
		if (index > 0 && random() < 0.35) actions.push({ edit: editOf(random, person) });
		actions.push(startOf(random, person, index === 0));
	}
	return actions;
}

const editOf = (random: Random, { flow, kind }: Person): Edit =>
	pick(random, {
		...{ prompt: 2, timeout: 1, key: 1.2, callback: 0.6, resendOn: 2, resendOff: 0.5 },
		...{ onError: flow === 'loop' ? 0 : 0.5, max: 0.7, reuse: 0.4 },
		...{ back: kind.soft ? 1 : 0, cosmetic: kind.soft ? 1 : 0 },
	});

function startOf(random: Random, { isEditor, kind }: Person, isFirst: boolean): Start {
	const chance = (likelihood: number) => random() < likelihood;
	const first = isEditor ? 'click' : 'run';
	const later = () => {
		if (kind.debug) return pick(random, { click: 3, retry: 2, run: 1 });
		if (!isEditor) return pick(random, { retry: 5, run: 1 });
		return pick(random, { click: 4, retry: kind.noManualRetry ? 0 : 1 });
	};
	const start: Start = { start: isFirst ? first : later() };
	if (kind.branch) start.position = random();
	if (chance(0.06)) start.stopAt = Math.floor(random() * 12);
	else if (chance(0.03)) start.crashAt = Math.floor(random() * 15);
	if (kind.tabs && isEditor && start.start === 'click') start.hasSecondTab = chance(0.5);
	if (!start.stopAt || chance(0.5)) start.settles = true;
	return start;
}
