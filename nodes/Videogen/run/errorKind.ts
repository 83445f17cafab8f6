import type { ErrorKind } from '../ground/words';
import { kindOfCreate, kindOfRead } from '../service/answerTable';
import { kindOfFailed } from '../service/failure';
import type { Entry } from '../work/entry';

export type { ErrorKind };

/** The kind of an entry that did not come to what was asked for, its files aside. */
export function errorKindOf({ outcome, task, unanswered }: Entry): ErrorKind {
	switch (outcome?.kind) {
		case 'notSent':
			return outcome.why;
		case 'notCreated':
			return unanswered === undefined ? kindOfCreate(outcome.error) : 'noAnswer';
		case 'notRead':
			return unanswered === undefined ? kindOfRead(outcome.error) : 'noAnswer';
		case 'failed':
			return task ? kindOfFailed(task) : 'failed';
		case 'timedOut':
		case 'noCallback':
		case 'stopped':
			return 'timeout';
		case 'done':
		case 'notStarted':
		case undefined:
			return 'stopped';
	}
}
