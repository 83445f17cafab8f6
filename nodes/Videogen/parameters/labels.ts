import { downloadResults } from './output';
import {
	callbackUrl,
	generateAudio,
	maxConcurrentTasks,
	maxNewTasks,
	OPTIONS_LABEL,
	resendAfterNoReply,
} from './options';
import { taskId } from './taskId';
import { afterCreate, POLL_LABEL, timeoutMinutes, waitMethod, waitOptions } from './wait';

/** The labels of the fields that messages send people to. */
export const LABELS = {
	callbackUrl: callbackUrl.displayName,
	downloadResults: downloadResults.property.displayName,
	generateAudio: generateAudio.property.displayName,
	maxConcurrentTasks: maxConcurrentTasks.property.displayName,
	maxNewTasks: maxNewTasks.property.displayName,
	options: OPTIONS_LABEL,
	resendAfterNoReply: resendAfterNoReply.property.displayName,
	taskId: taskId.property.displayName,
	timeoutMinutes: timeoutMinutes.property.displayName,
	poll: POLL_LABEL,
	waitForCompletion: afterCreate.property.displayName,
	waitMethod: waitMethod.property.displayName,
	waitOptions: waitOptions.property.displayName,
};
