import { ALL_CALLS, CALLS, CREATES, playMatrix, WAITING } from './support/faultMatrix';
import { tries } from '../support/useEngine';

/** Executions that know no more of those before than their process does: clicks, and triggers. */
const idempotencyKey = '={{ $json.prompt }} today';
const DERIVED = {
	...({ retries: 2, isNewProcess: true, hasDerivedKeys: true } as const),
	more: { ...WAITING, options: { ...WAITING.options, idempotencyKey } },
};

playMatrix([
	{
		way: 'clicks in the editor',
		...{ retries: 2, isClick: true, calls: ALL_CALLS },
	},
	{
		way: 'clicks in the editor with an Idempotency Key, each in another process',
		...{ ...DERIVED, isClick: true, calls: CREATES },
	},
	{
		way: 'fired again with an Idempotency Key, each in another process',
		...{ ...DERIVED, isFired: true, calls: CALLS },
	},
	{
		way: 'fired again with an Idempotency Key and Retry On Fail, each in another process',
		...{ ...DERIVED, isFired: true, settings: tries(3), calls: ALL_CALLS },
	},
	...[1, 2].map((stopAtCreate) => ({
		way: `stopped at create ${stopAtCreate}, then clicks`,
		...{ stopAtCreate, isClick: true, retries: 2, calls: CREATES },
	})),
]);
