import { wholeId } from '../common/quotable';
import { LABELS } from '../parameters/labels';
import { SHARE_PAGE, USE_THEIR_NODE } from '../parameters/lists';
import type { GenerationRequest } from '../service/contract/request';
import { codeIn, messageIn } from '../service/serviceMessage';
import type { Entry } from '../tasks/entry';
import { listed, type Message } from './message';

/** What was sent; nothing is known of a task that is only read. */
type Sent = GenerationRequest | undefined;

/** What a failed task's own code suggests; codes are not shown in the contract. */
interface FailureKind {
	pattern: RegExp;
	/** Whether it makes sense for what was sent. */
	fits?: (sent: Sent) => boolean;
	advice: (sent: Sent) => string;
	/** Whether the service could have made the video and would not. */
	isRefusal?: boolean;
}

const FAILURE_KINDS: FailureKind[] = [
	{
		pattern: /polic|moderat|safety|sensitive/i,
		advice: (sent) => `Change ${changeable(sent)}${orNoAudio(sent)}, and run this item again.`,
		isRefusal: true,
	},
	{
		pattern: /quota|balance|credit/i,
		advice: () => "Check the balance and limits in the provider's console.",
	},
	{
		pattern: /timeout|timed out|exhausted|unavailable|capacity/i,
		advice: () => 'The service is busy: run this item again later.',
	},
	{
		pattern: /image[_ -](?!to)|picture|frame|dimension|media/i,
		fits: (sent) => mediaIn(sent).includes('the images'),
		advice: () => 'Use JPEG, PNG or WebP images of the same size that the service can open.',
	},
	{
		pattern: /parameter|invalid|input/i,
		advice: () => 'Change the settings that the service names and run this item again.',
	},
];

/** When neither code nor words suggest anything. */
const RETRY_CHANGED = 'Change the prompt or the settings and run this item again.';

const WHO_CHARGES = 'Whether failed tasks are charged is for your provider to say.';

const MEDIA = [
	['image_urls', 'the images'],
	['video_urls', 'the videos'],
	['audio_urls', 'the audio files'],
] as const;

/** The media that a failed task was made of; any, where nobody knows. */
const mediaIn = (sent: Sent): string[] =>
	MEDIA.flatMap(([name, what]) => (sent && !(name in sent) ? [] : [what]));

const changeable = (sent: Sent): string => listed(['the prompt', ...mediaIn(sent)], 4, ' or ');

const orNoAudio = (sent: Sent): string =>
	sent?.generate_audio === false
		? ''
		: `, or switch off ${LABELS.generateAudio} in ${LABELS.options}`;

/** Of a task that the service reports as failed. */
export function failedMessage({ task, request }: Entry): Message {
	const payload = task?.record.error;
	const said = messageIn(payload);
	const code = codeIn(payload);
	// What the words say is only asked when the code says nothing: words have many meanings.
	const kind = kindOf(code, request) ?? kindOf(said, request);
	const what = kind?.isRefusal
		? 'The service refused this video'
		: 'The service did not make this video';
	const named = code && code !== said ? ` (${code})` : '';
	const advice = hasSharePage(request)
		? `A URL of this item ${USE_THEIR_NODE}`
		: (kind?.advice(request) ?? RETRY_CHANGED);
	const failed = `Task ${wholeId(task?.id ?? '')} failed${named}.`;
	return {
		message: said ? `${what}: ${said.replace(/\.$/, '')}` : `${what} and gives no reason`,
		description: `${failed} ${advice} ${WHO_CHARGES}`,
	};
}

const hasSharePage = (sent: Sent): boolean =>
	Object.values(sent ?? {})
		.flat()
		.some((value) => SHARE_PAGE.test(String(value)));

const kindOf = (text: string | undefined, sent: Sent): FailureKind | undefined =>
	text === undefined
		? undefined
		: FAILURE_KINDS.find(({ pattern, fits }) => pattern.test(text) && (fits?.(sent) ?? true));
