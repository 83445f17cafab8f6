import { downloadResults } from './download';
import { generateAudio, maxConcurrentTasks, options, resendAfterNoReply } from './options';
import { taskId } from './taskId';
import { timeoutMinutes, waitOptions } from './wait';

/** The labels of the fields that messages send people to. */
export const LABELS = {
	downloadResults: downloadResults.property.displayName,
	generateAudio: generateAudio.property.displayName,
	maxConcurrentTasks: maxConcurrentTasks.property.displayName,
	options: options.property.displayName,
	resendAfterNoReply: resendAfterNoReply.property.displayName,
	taskId: taskId.property.displayName,
	timeoutMinutes: timeoutMinutes.property.displayName,
	waitOptions: waitOptions.property.displayName,
};
