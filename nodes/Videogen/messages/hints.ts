import { wholeId } from '../common/quotable';
import { RESULT_LINK_LIFETIME } from '../downloads/resultUrls';
import { LABELS } from '../parameters/labels';
import { ELSEWHERE } from './message';

/** For a practice credential. */
export const PRACTICE_HINT =
	'Practice: no video was made, nothing was charged, and links lead nowhere. For real videos, choose a credential whose Environment is Live.';

/** For an output of links without files: the links will not last, and a file costs nothing more. */
export function linksHint(taskIds: string[], areCreated: boolean): string {
	const ids = taskIds.length === 1 ? `ID ${wholeId(taskIds.join())}` : 'the IDs';
	return `Links to videos usually stop working after ${RESULT_LINK_LIFETIME}. To keep a video, open its link now, or use Get Task with ${ids} and ${LABELS.downloadResults} on${areCreated ? ELSEWHERE : ''}. Neither costs anything.`;
}

/** For the editor, where people run a workflow again and again while they build it. */
export const buildingHint = (hasFiles: boolean): string =>
	`To build the next nodes without creating, and paying for, the video again, ${hasFiles ? EXECUTE_STEP : PIN}`;

const PIN = 'pin this output: select the node on the canvas and press P.';
/** n8n cannot pin an output that has files. */
const EXECUTE_STEP =
	'press Execute step in them. In a loop, or after a change to a node before this one, n8n runs this node again.';

/** For the model of an agent that asked again for the same video; it stands beside the task. */
export const SAME_TASK =
	'An earlier call with the same request made this task. Nothing new was created or paid. For another video, use another prompt.';
