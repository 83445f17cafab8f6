import { isPassing } from '../service/retryPolicy';
import type { DownloadTrouble } from './download';

/** Whether a download that came to this may go better the next time; trying costs nothing. */
export function mayPass(trouble: DownloadTrouble): boolean {
	switch (trouble.kind) {
		case 'status':
			return trouble.status === 429 || isPassing(trouble.status);
		case 'network':
			return trouble.reason !== 'tls' && trouble.reason !== 'blocked';
		case 'cutOff':
		case 'empty':
		case 'stalled':
			return true;
		case 'webPage':
		case 'redirect':
		case 'address':
		case 'noResults':
		case 'tooLarge':
		case 'diskFull':
		case 'storage':
		case 'stopped':
			return false;
	}
}
