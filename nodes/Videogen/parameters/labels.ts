import { createDownload } from './output';
import {
	callbackUrl,
	generateAudio,
	maxConcurrentTasks,
	maxNewTasks,
	OPTIONS_LABEL,
	resendAfterNoReply,
} from './options';
import { taskId } from './taskId';
import { createWait, POLL_LABEL, waitMethod } from './wait';

/** The labels of the fields that messages send people to. */
export const LABELS = {
	callbackUrl: callbackUrl.property.displayName,
	downloadResults: createDownload.label,
	generateAudio: generateAudio.property.displayName,
	maxConcurrentTasks: maxConcurrentTasks.property.displayName,
	maxNewTasks: maxNewTasks.property.displayName,
	options: OPTIONS_LABEL,
	resendAfterNoReply: resendAfterNoReply.property.displayName,
	taskId: taskId.property.displayName,
	poll: POLL_LABEL,
	waitMethod: waitMethod.property.displayName,
	...createWait.labels,
};
