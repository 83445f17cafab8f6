import type { NetworkReason } from '../service/answer';
import { TRY_LATER, type Words } from './message';

/**
 * Why a host gave no answer, and what to do.
 * @param check What to do where its URL or the network may be wrong.
 */
export function networkWords(reason: NetworkReason, host: string, check: string): Words {
	const words: Record<NetworkReason, Words> = {
		connectionRefused: [`No connection to ${host}`, check],
		noRoute: [`No network route to ${host}`, check],
		unknownHost: [`Host name of ${host} not found`, check],
		tls: [`No secure connection to ${host}`, check],
		timeout: [`No answer from ${host} in time`, TRY_LATER],
		lost: [`The connection to ${host} was lost before an answer came`, TRY_LATER],
		blocked: [`n8n blocks the URL of ${host}`, 'Ask who runs this n8n to allow it.'],
	};
	return words[reason];
}
