import { storageErrorOf } from '../../../nodes/Videogen/files/downloadError';
import { networkReasonOf } from '../../../nodes/Videogen/service/networkReason';

/** As n8n throws it, and as it may be wrapped on its way. */
const inAndOut = (error: Error): unknown[] => [error, new Error('outer', { cause: error })];

class SsrfBlockedIpError extends Error {}
class SsrfBlockedHostnameError extends Error {}

test.each([SsrfBlockedIpError, SsrfBlockedHostnameError])(
	'an address for which n8n throws %p is blocked',
	(BlockedError) => {
		for (const thrown of inAndOut(new BlockedError())) {
			expect(networkReasonOf(thrown)).toBe('blocked');
		}
	},
);

test('a file for which n8n throws FileTooLargeError is too large', () => {
	class FileTooLargeError extends Error {}
	for (const thrown of inAndOut(new FileTooLargeError('No'))) {
		expect(storageErrorOf(thrown)).toEqual({ kind: 'tooLarge' });
	}
});

test('an error of no class is neither', () => {
	const bare: unknown = Object.create(null);
	expect(networkReasonOf(bare)).toBe('lost');
	expect(storageErrorOf(bare)).toEqual({ kind: 'storage' });
});
