import { wholeId } from '../ground/text';
import { RESULT_LINK_LIFETIME } from '../service/task';
import { LABELS, ELSEWHERE } from '../ground/words';

/** For a practice credential. */
export const PRACTICE_HINT =
	'Practice: no video was made, nothing was charged, and links lead nowhere. For real videos, choose a credential whose Environment is Live.';

/** For an output of links without files: the links will not last, and a file costs nothing more. */
export function linksHint(taskIds: string[], areCreated: boolean): string {
	const isOne = taskIds.length === 1;
	const ids = isOne ? `ID ${wholeId(taskIds.join())}` : 'the IDs';
	return `${isOne ? 'The link usually stops' : 'Links usually stop'} working after ${RESULT_LINK_LIFETIME}: save what you want to keep, or use Get Task with ${ids} and '${LABELS.downloadResults}' on${areCreated ? ELSEWHERE : ''}, which costs nothing more.`;
}

/** For the model of an agent that asked again for the same video; it stands beside the task. */
export const SAME_TASK =
	'An earlier call with the same request made this task. Nothing new was created or paid. For another video, use another prompt.';
