/** The labels of the fields that messages send people to. */
export const LABELS = {
	callbackUrl: 'Callback URL',
	downloadResults: 'Download Results',
	generateAudio: 'Generate Audio',
	maxConcurrentTasks: 'Max Concurrent Tasks',
	maxNewTasks: 'Max New Videos per Execution',
	modelFamily: 'Model Family',
	options: 'Options',
	poll: 'Ask Repeatedly (Stay in This Node)',
	prompt: 'Prompt',
	reuseInEditor: 'Reuse in Editor',
	resendAfterNoReply: 'Retry Unanswered Requests',
	taskId: 'Task ID',
	timeoutMinutes: 'Timeout (Minutes)',
	waitForCompletion: 'Wait for Completion',
	waitMethod: 'Wait Method',
} as const;
