import type { Execution, ItemEnd, Settings } from './executions';

/** Who has started an execution, and how the fields stood. */
export function startShown({ id, mode, from, settings }: Execution): string {
	const start = mode === 'manual' ? 'click' : 'production run';
	return `${id} ${from ? `Retry of ${from.id}` : start} [${settingsShown(settings)}]`;
}

function settingsShown(settings: Settings): string {
	const { promptField, keyField, mayResend, mayReuse, onError, tries, maxNewTasks } = settings;
	return [
		...[promptField, ...(keyField ? [`key=${keyField}`] : []), ...(mayResend ? ['resend'] : [])],
		...[...(mayReuse ? [] : ['reuse off']), `onError=${onError}`, `tries=${tries}`],
		...[...(maxNewTasks < 50 ? [`max=${maxNewTasks}`] : []), `timeout=${settings.timeout}`],
	].join(' ');
}

/** What an item got. */
export const endShown = ({ error, taskId }: ItemEnd): string =>
	error ? `${error.kind}${error.taskId ? ` ${error.taskId}` : ''}` : `${taskId}`;
