import { quotable } from '../ground/text';

/** Why a service says no, or why a task fails, where that changes what to do next. */
export type Cause =
	/** The prompt, an input or the video itself is against the rules of the service. */
	| 'content'
	/** Too little money or quota. */
	| 'balance'
	/** The service has no room now. */
	| 'capacity'
	/** An image, video or audio file could not be fetched or read. */
	| 'input';

/** Codes that name a cause, the surest first. */
const CODES: Array<[RegExp, Cause]> = [
	[/polic|moderat|safety|sensitive|content[_-]?filter|prohibited|copyright|nsfw/i, 'content'],
	[/quota|balance|credit|billing|insufficient_funds/i, 'balance'],
	[/fetch|download/i, 'input'],
	[/exhausted|unavailable|overload|capacity|concurren|rate_limit|too_many|busy/i, 'capacity'],
];

/** Codes of other causes: the words beside them may mean anything. */
const OTHER_CODES = /time_?out|not_found|model|auth|permission|method|json|internal/i;

/** Codes of inputs. Words about content say more: an image may be read, and refused for its content. */
const INPUT_CODES =
	/(?:image|video|audio|media|file|url)s?_(?:processing|download|fetch|decode|read|access|format)|(?:invalid|unsupported)_(?:image|video|audio|media|file|url)/i;

/** What looks like words about content and is none. It is taken out before they are looked for. */
const NO_CONTENT = [
	/\bcontent_filter\b/gi,
	// The words of a code that stands where words are expected.
	/_/g,
	/\bbrand[- ]new\b/gi,
	/\b(?:case|time|price|size)[- ]?sensitiv\w*|\bsensitiv\w* to\b/gi,
	/\b(?:rate|retry|retries|retention|refund|billing|cache|cors|access|quota|limit\w*|robots|security) polic\w*/gi,
	/\bminor (?:version|error|issue|problem|change|update|release)s?/gi,
	/\bno faces?\b|\bfaces? (?:was |were |is |are |could )?not\b|\bface (?:detection|swap)\b/gi,
];

/** Words of refusals for content. */
const CONTENT_WORDS = [
	/polic(?:y|ies)\b|\bmoderat(?:ion|ed)\b|\bsafety\b|\bsensitive\b|\bcontent[ -]filter/i,
	/\b(?:terms of (?:service|use)|(?:community|content|usage|our) (?:guidelines?|rules|standards))\b/i,
	/\b(?:inappropriate|prohibited|forbidden|disallowed|unsafe|harmful|illegal|restricted) (?:content|material|image|prompt|request|word)/i,
	/\b(?:real|identifiable|private|public|famous) (?:person|persons|people|humans?|individuals?|figures?)\b/i,
	/\bfaces?\b|\bcelebrit\w+|\blikeness\b|\bdeep ?fakes?\b/i,
	/\b(?:a minor|minors|underage|child(?:ren)?)\b/i,
	/\bcopyright\w*|\btrade ?marks?\b|\bbrand(?:s|ed)?\b|\bintellectual property\b/i,
	/\bnud(?:e|ity)\b|\bsexual\w*|\bporn\w*|\bexplicit content\b|\bnsfw\b|\badult content\b/i,
	/\bviolen(?:ce|t)\b|\bgor[ey]\b|\bbloody\b|\bweapons?\b|\bterroris\w+|\bself[- ]harm\b|\bhate\b/i,
];

/** Words about money. Alone they may be about a picture: a credit, a white balance. */
const BALANCE_WORDS =
	/\b(?:insufficient|not enough|no|low|too (?:low|few|little)|out of|exceed\w*|add|top up|recharge)\W+(?:\w+\W+){0,2}(?:balance|credits?|funds|quota|money)\b|\b(?:balance|credits?|quota|credit limit|spending limit)\W+(?:\w+\W+){0,5}(?:insufficient|low|exceeded|exhausted|reached|empty|depleted|used up|run out)\b|\bpayment required\b/i;

const CAPACITY_WORDS =
	/\btoo many (?:\w+ ){0,2}(?:tasks|requests|jobs|generations|videos)\b|\bconcurren\w+ (?:\w+ ){0,2}limit|\bresources? exhausted\b|\boverloaded\b|\b(?:no|at|out of|insufficient|over) capacity\b|\b(?:servers?|service|system|model) (?:is|are) (?:too )?busy\b|\bhigh (?:demand|load|traffic)\b/i;

/** What an input is called. */
const MEDIA =
	/\b(?:(?:image|video|audio)_urls|images?|pictures?|photos?|frames?|videos?|audios?|media|files?|urls?|links?|inputs?)\b/i;

/** Words about something that could not be fetched or read. They are of an input where they name one. */
const NOT_READ = [
	/\b(?:fail\w*|unable|could not|couldn't|cannot|can't|not able|error) (?:to )?(?:be )?(?:download|fetch|load|read|open|decod|access|retriev|reach|pars|process)/i,
	/\b(?:was|were|is|are) (?:not|in|un)[ -]?(?:download|fetch|load|read|accessible|available|reachable|found)/i,
	/\btime[d ]?-?out (?:while|when|during|on) (?:download|fetch|load|read)|\b(?:download|fetch)\w* (?:has )?timed out\b/i,
	/\b(?:invalid|unsupported|corrupt\w*|unreadable|broken) (?:input )?(?:image|picture|photo|video|audio|media|file)s?(?: (?:format|type|data|url|link|file)s?)?(?:[.:,;!)]|$| (?:at|in|for|was|is)\b)/i,
];

const isContent = (words: string): boolean => {
	const rest = NO_CONTENT.reduce((text, pattern) => text.replace(pattern, ' '), words);
	return CONTENT_WORDS.some((pattern) => pattern.test(rest));
};

const WORDS: Array<[(words: string) => boolean, Cause]> = [
	[(words) => BALANCE_WORDS.test(words), 'balance'],
	[isContent, 'content'],
	[(words) => CAPACITY_WORDS.test(words), 'capacity'],
	[(words) => MEDIA.test(words) && NOT_READ.some((pattern) => pattern.test(words)), 'input'],
];

/** Whether a code alone says why. */
export const namesCause = (code: string): boolean => CODES.some(([pattern]) => pattern.test(code));

/**
 * The cause that an error names: by its code where that names one, else by its words.
 * @param code As `codeIn` gives it.
 * @param said As `messageIn` gives it.
 */
export function causeOf(code = '', said = ''): Cause | undefined {
	const byCode = CODES.find(([pattern]) => pattern.test(code))?.[1];
	if (byCode !== undefined || OTHER_CODES.test(code)) return byCode;
	const words = quotable(said);
	const byWords = WORDS.find(([fits]) => fits(words))?.[1];
	return byWords ?? (INPUT_CODES.test(code) ? 'input' : undefined);
}
