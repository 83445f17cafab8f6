import type { NetworkReason } from '../../../nodes/Videogen/client/answer';
import type { DownloadTrouble } from '../../../nodes/Videogen/download/download';
import { mayPass } from '../../../nodes/Videogen/download/verdict';

const status = (code: number): DownloadTrouble => ({ kind: 'status', status: code });
const network = (reason: NetworkReason): DownloadTrouble => ({ kind: 'network', reason });

test.each<DownloadTrouble>([
	...[408, 425, 429, 500, 502, 503, 504].map(status),
	...(['refused', 'unknownHost', 'timeout', 'lost'] as const).map(network),
	{ kind: 'cutOff', receivedBytes: 1, declaredBytes: 2 },
	{ kind: 'empty' },
	{ kind: 'stalled', receivedBytes: 1 },
])('%j may pass', (trouble) => expect(mayPass(trouble)).toBe(true));

test.each<DownloadTrouble>([
	...[304, 400, 401, 403, 404, 410].map(status),
	...(['tls', 'blocked'] as const).map(network),
	{ kind: 'webPage' },
	{ kind: 'redirect' },
	{ kind: 'address' },
	{ kind: 'noResults' },
	{ kind: 'tooLarge' },
	{ kind: 'diskFull' },
	{ kind: 'storage' },
	{ kind: 'stopped' },
])('%j stays', (trouble) => expect(mayPass(trouble)).toBe(false));
