import type { Failure } from 'n8n-workflow';
import type { ErrorKind } from '../ground/words';

/** Why a node failed, in n8n's words: from 2.41 on it reads them, before it does not look. */
const CAUSES: Partial<Record<ErrorKind, Failure['cause']>> = {
	rateLimited: 'rate-limited',
	serviceError: 'temporarily-unavailable',
	key: 'credential-invalid',
	address: 'configuration-invalid',
};

/** What the options of an error have for n8n; nothing for kinds of which n8n has no word. */
export function n8nFailure(kind: ErrorKind): { failure?: Failure } {
	const cause = CAUSES[kind];
	return cause === undefined ? {} : { failure: { cause } };
}
