import { ERROR_KINDS } from '../../../nodes/Videogen/ground/words';
import { n8nFailure } from '../../../nodes/Videogen/run/n8nFailure';

test('tells n8n the cause of four kinds, and of no other', () => {
	const told = ERROR_KINDS.flatMap((kind) => {
		const { failure } = n8nFailure(kind);
		return failure === undefined ? [] : [[kind, failure.cause]];
	});
	expect(Object.fromEntries(told)).toEqual({
		rateLimited: 'rate-limited',
		serviceError: 'temporarily-unavailable',
		key: 'credential-invalid',
		address: 'configuration-invalid',
	});
});
