import type { ErrorKind } from '../../nodes/Videogen/ground/words';
import { kindOfCreate, kindOfFailed, kindOfRead } from '../../nodes/Videogen/service/answerWords';
import type { NetworkReason } from '../../nodes/Videogen/service/answer';
import { taskOf } from '../programs/support/orders';
import { network, status, unreadable } from '../programs/support/fakeService';

test.each<[number, create: ErrorKind, read: ErrorKind]>([
	[302, 'address', 'address'],
	[399, 'address', 'address'],
	[400, 'refused', 'notFound'],
	[401, 'key', 'key'],
	[402, 'balance', 'balance'],
	[403, 'key', 'key'],
	[404, 'address', 'notFound'],
	[405, 'address', 'address'],
	[410, 'refused', 'notFound'],
	[422, 'refused', 'refused'],
	[429, 'rateLimited', 'rateLimited'],
	[499, 'refused', 'refused'],
	[500, 'serviceError', 'serviceError'],
	[503, 'serviceError', 'serviceError'],
])('the status %d is the kind %s after a create, and %s after a read', (code, create, read) => {
	expect(kindOfCreate(status(code))).toBe(create);
	expect(kindOfRead(status(code))).toBe(read);
});

test.each<[NetworkReason, ErrorKind]>([
	['connectionRefused', 'address'],
	['noRoute', 'address'],
	['unknownHost', 'address'],
	['tls', 'address'],
	['blocked', 'address'],
	['timeout', 'serviceError'],
	['lost', 'serviceError'],
])('the network error %s is the kind %s', (reason, kind) => {
	expect(kindOfCreate(network(reason))).toBe(kind);
	expect(kindOfRead(network(reason))).toBe(kind);
});

test('an answer that cannot be read is one of a wrong address only where a web page was read', () => {
	expect(kindOfRead(unreadable('html'))).toBe('address');
	expect(kindOfRead(unreadable('notJson'))).toBe('serviceError');
	expect(kindOfCreate(unreadable('html'))).toBe('noAnswer');
});

test('the code of a refusal says more than its status', () => {
	const refusal = (code: string, statusCode = 400) => kindOfCreate({ ...status(statusCode), code });
	expect(refusal('content_policy_violation')).toBe('moderation');
	expect(refusal('quota_exceeded')).toBe('balance');
	expect(refusal('invalid_parameter')).toBe('refused');
	expect(kindOfCreate({ ...status(404), param: 'model' })).toBe('refused');
	expect(kindOfCreate({ ...status(404), param: 'prompt' })).toBe('address');
});

test.each<[error: unknown, state: string, ErrorKind]>([
	[undefined, 'failed', 'failed'],
	[{ code: 'content_policy' }, 'failed', 'moderation'],
	[{ code: 'balance_too_low' }, 'failed', 'balance'],
	[undefined, 'cancelled', 'cancelled'],
	[undefined, 'expired', 'expired'],
])('a task with the error %j that is %s is the kind %s', (error, state, kind) =>
	expect(kindOfFailed(taskOf('task_1', state, { error }))).toBe(kind),
);
