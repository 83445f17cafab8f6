import { type PlayedExecution, isEditor } from './executions';
import type { LifeKind } from './scenario';
import type { World } from './world';

/** A rule that some lives break, and why that is accepted. */
export interface Accepted {
	/** Its name, or how it begins. */
	rule: string;
	why: string;
	/** About one life in so many breaks it. */
	oneIn: number;
	/** Kinds of lives to which this applies; to all without it. */
	of?: keyof LifeKind;
	/** What must have happened in a life, so that this explains it. */
	when?(world: World, rule: string): boolean;
}

const KEY_KEPT =
	'An Idempotency Key that stays while the prompt changes brings the first video, or a 409 that says to change the key, too.';
const KEY_AFTER_CRASH =
	'After a crash nobody knows that another item of the execution has used an Idempotency Key, whose video it gets.';
const COUNTED = 'Under one Idempotency Key, the ended tasks of an older prompt count, too.';
const REWORDED =
	'An item that a loop rewords continues the open task of its older wording: nothing is paid twice.';
const EDITED =
	'After an edit, an item of a loop first awaits its older task, and then creates what it asks for now.';
const OLDER_CLICK =
	'A Retry of an older click does not know what newer clicks have created in place of what had ended.';
const SECOND_RETRY =
	'A second Retry of one execution, after a first one that went on with another wording, key or place.';
const TWO_TABS = 'Two executions in the editor at once each replace the same order that has ended.';
const RESENT_BY_CLICK =
	'A click or its Retry sends an unanswered request again, or the Callback URL was edited, though an equal video exists or has ended.';
const FAILED_AGAIN =
	'A loop in the editor, or Retry On Fail, creates anew what it found failed, though an older execution has an equal video.';
const WRITTEN_BACK =
	'A prompt that is edited and written back, or one with $now that gets a blank, is another in between.';
const KNOWN_KEY =
	'A service that knows a key and gives no task for it, as after another prompt, needs another key.';
const NEW_RUN =
	'What may exist at a service that answers 409, or cannot be read any more, needs a new run.';
const LAST_ROUND = 'A loop that has come to its last round needs a new run.';
const EARLIER_CLICK = 'An equal create of an earlier click may exist, which this execution awaits.';
const TWO_CHANGES = 'It takes two changes, such as a higher limit and Send Again.';

const rewords = ({ scenario }: World): boolean =>
	scenario.flow === 'loop' && scenario.wayBack.startsWith('reword');

const hasOtherPrompts = (world: World): boolean =>
	world.scenario.settings.promptKind === 'now' ||
	rewords(world) ||
	new Set(world.executions.map(({ settings }) => settings.promptField.trim())).size > 1;

const isRetried = ({ executions }: World): boolean =>
	executions.some((one) => one.from && isEditor(one));

const isRetriedTwice = ({ executions }: World): boolean =>
	executions.some(
		(execution: PlayedExecution) => executions.filter(({ from }) => from === execution).length > 1,
	);

const isCrashed = ({ executions }: World): boolean =>
	executions.some(({ status }) => status === 'crashed');

const hasTabs = ({ scenario }: World): boolean =>
	scenario.actions.some((action) => 'start' in action && action.hasSecondTab);

const isWrittenBack = ({ scenario }: World): boolean =>
	scenario.actions.some((action) => 'edit' in action && ['back', 'cosmetic'].includes(action.edit));

/** A key with the ID of the execution in it is another one in a Retry, as after an edit. */
const isEdited = ({ scenario }: World): boolean =>
	scenario.flow === 'loop' &&
	(scenario.settings.keyField.includes('{{exec}}') ||
		scenario.actions.some((action) => 'edit' in action && ['prompt', 'key'].includes(action.edit)));

const isResent = ({ executions }: World): boolean =>
	executions.some(({ settings }) => settings.resendAfterNoReply || settings.callback !== '');

/** A click continues the newest order, which is not answered, and there is an older video. */
const maySendAgain = ({ executions }: World): boolean =>
	executions.some(({ settings }) => settings.resendAfterNoReply);

const isLoop = ({ scenario }: World): boolean => scenario.flow === 'loop';

const triesAgain = (world: World): boolean =>
	isLoop(world) || world.executions.some(({ settings }) => settings.tries > 1);

const isLimited = ({ scenario }: World): boolean => scenario.settings.maxNewTasks < 99;

/** The names of rules about endings say what explains them. */
const isKnownKey = (_: World, rule: string): boolean => /, key|, service|, unreadable/.test(rule);
const isExplained = (_: World, rule: string): boolean => rule.includes(', ');
const isOfEditor = (_: World, rule: string): boolean => rule.includes('(editor)');

const EDITOR_AND_RETRY = 'editor and Retry of a manual execution';
const PAID_BY_CLICK = 'a click pays for what exists';
const SENT_AGAIN = 'sent again by itself after a final end';
const OTHER_KEY = 'one idempotencyKey, two wishes: output of the other';
const OTHER_WISH = 'output of another wish';
const OLDER_WORDING = 'output of a wording before the loop changed it';

const NO_RETRY = 'no Retry ends it';

/** Everything that random lives show and that stays as it is; the first one that fits counts. */
const ACCEPTED: Accepted[] = [
	{ rule: EDITOR_AND_RETRY, why: TWO_TABS, oneIn: 350, of: 'tabs', when: hasTabs },
	{ rule: SENT_AGAIN, why: TWO_TABS, oneIn: 20_000, of: 'tabs', when: hasTabs },
	{ rule: 'editor', why: TWO_TABS, oneIn: 160, of: 'tabs', when: hasTabs },
	{ rule: 'lineage', why: TWO_TABS, oneIn: 8_000, of: 'tabs', when: hasTabs },
	{ rule: 'created anew', why: TWO_TABS, oneIn: 8_000, of: 'tabs', when: hasTabs },
	{ rule: OTHER_KEY, why: KEY_KEPT, oneIn: 140, of: 'tabs', when: hasOtherPrompts },
	{ rule: OTHER_WISH, why: REWORDED, oneIn: 1_000, of: 'tabs', when: rewords },
	{ rule: 'lineage', why: SECOND_RETRY, oneIn: 900, of: 'branch', when: isRetriedTwice },
	{ rule: SENT_AGAIN, why: SECOND_RETRY, oneIn: 4_000, of: 'branch', when: isRetriedTwice },
	{ rule: 'created anew', why: SECOND_RETRY, oneIn: 8_000, of: 'branch', when: isRetriedTwice },
	{ rule: 'tool', why: SECOND_RETRY, oneIn: 8_000, of: 'branch', when: isRetriedTwice },
	{ rule: PAID_BY_CLICK, why: RESENT_BY_CLICK, oneIn: 700, of: 'debug', when: isResent },
	{ rule: 'editor', why: RESENT_BY_CLICK, oneIn: 700, of: 'debug', when: isResent },
	{ rule: 'created anew', why: RESENT_BY_CLICK, oneIn: 8_000, of: 'debug', when: maySendAgain },
	{ rule: PAID_BY_CLICK, why: FAILED_AGAIN, oneIn: 8_000, of: 'debug', when: triesAgain },
	{ rule: 'editor', why: FAILED_AGAIN, oneIn: 8_000, of: 'debug', when: triesAgain },
	{ rule: 'editor', why: RESENT_BY_CLICK, oneIn: 8_000, of: 'noManualRetry', when: maySendAgain },
	{ rule: 'lineage', why: WRITTEN_BACK, oneIn: 800, of: 'soft', when: isWrittenBack },
	{ rule: NO_RETRY, why: KNOWN_KEY, oneIn: 800, of: 'endings', when: isKnownKey },
	{ rule: NO_RETRY, why: EARLIER_CLICK, oneIn: 1_000, of: 'endings', when: isOfEditor },
	{ rule: 'only an edit ends it', why: KNOWN_KEY, oneIn: 60, of: 'endings', when: isKnownKey },
	{ rule: 'only an edit ends it', why: TWO_CHANGES, oneIn: 1_500, of: 'endings', when: isLimited },
	{ rule: 'only a new run ends it', why: NEW_RUN, oneIn: 80, of: 'endings', when: isExplained },
	{ rule: 'only a new run ends it', why: LAST_ROUND, oneIn: 1_000, of: 'endings', when: isLoop },
	{ rule: 'nothing ends it', why: TWO_CHANGES, oneIn: 1_000, of: 'endings' },
	{ rule: OTHER_KEY, why: KEY_KEPT, oneIn: 200, when: hasOtherPrompts },
	{ rule: OTHER_KEY, why: KEY_AFTER_CRASH, oneIn: 8_000, when: isCrashed },
	{ rule: 'promise of idempotencyKey', why: COUNTED, oneIn: 8_000, when: hasOtherPrompts },
	{ rule: OLDER_WORDING, why: REWORDED, oneIn: 350, when: rewords },
	{ rule: OTHER_WISH, why: REWORDED, oneIn: 5_000, when: rewords },
	{ rule: SENT_AGAIN, why: REWORDED, oneIn: 5_000, when: rewords },
	{ rule: SENT_AGAIN, why: EDITED, oneIn: 8_000, when: isEdited },
	{ rule: PAID_BY_CLICK, why: RESENT_BY_CLICK, oneIn: 20_000, when: maySendAgain },
	{ rule: EDITOR_AND_RETRY, why: OLDER_CLICK, oneIn: 1_500, when: isRetried },
	{ rule: 'editor', why: OLDER_CLICK, oneIn: 8_000, when: isRetried },
];

/** Why it is accepted that a life breaks a rule; `undefined` where it is not. */
export const acceptedFor = (rule: string, kind: LifeKind, world: World): Accepted | undefined =>
	ACCEPTED.find(
		(one) =>
			rule.startsWith(one.rule) &&
			(!one.of || kind[one.of] !== undefined) &&
			(one.when?.(world, rule) ?? true),
	);

/** How many lives may do so by chance; more than that is seen a few times in a million. */
export function mostLives({ oneIn }: Accepted, lives: number): number {
	const mean = lives / oneIn;
	return mean + 5 * Math.sqrt(mean) + 2.5;
}
