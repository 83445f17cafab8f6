import { isPassing } from '../service/retryPolicy';
import type { DownloadError } from './download';

/** Whether a download that came to this may go better the next time; trying costs nothing. */
export function mayPass(error: DownloadError): boolean {
	switch (error.kind) {
		case 'status':
			return error.status === 429 || isPassing(error.status);
		case 'network':
			return error.reason !== 'tls' && error.reason !== 'blocked';
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
