import { type ErrorKind, errorKindOf } from '../../nodes/Videogen/run/errorKind';
import type { NetworkReason, ServiceError } from '../../nodes/Videogen/service/answer';
import { entryWith, type Given, taskOf } from '../programs/support/entries';
import { network, status, unreadable } from '../programs/support/fakeService';

const ofCreate = (error: ServiceError, mayExist?: boolean): ErrorKind =>
	errorKindOf(entryWith({ kind: 'notCreated', error, mayExist }));
const ofRead = (error: ServiceError, mayExist?: boolean): ErrorKind =>
	errorKindOf(entryWith({ kind: 'notRead', error, mayExist, taskId: 'task_1' }));

test.each<[number, create: ErrorKind, read: ErrorKind]>([
	[302, 'address', 'address'],
	[400, 'refused', 'notFound'],
	[401, 'key', 'key'],
	[402, 'balance', 'balance'],
	[403, 'key', 'key'],
	[404, 'address', 'notFound'],
	[405, 'address', 'address'],
	[410, 'refused', 'notFound'],
	[422, 'refused', 'refused'],
	[429, 'rateLimited', 'rateLimited'],
	[503, 'serviceError', 'serviceError'],
])('the status %d is the kind %s after a create, and %s after a read', (code, create, read) => {
	expect(ofCreate(status(code))).toBe(create);
	expect(ofRead(status(code))).toBe(read);
});

test.each<[NetworkReason, ErrorKind]>([
	['connectionRefused', 'address'],
	['noRoute', 'address'],
	['unknownHost', 'address'],
	['tls', 'address'],
	['blocked', 'address'],
])('the network error %s is the kind %s', (reason, kind) => {
	expect(ofCreate(network(reason))).toBe(kind);
	expect(ofRead(network(reason))).toBe(kind);
});

test('an answer that cannot be read is one of a wrong address only where a web page was read', () => {
	expect(ofRead(unreadable('html'))).toBe('address');
	expect(ofRead(unreadable('notJson'))).toBe('serviceError');
	expect(ofCreate(unreadable('html'))).toBe('noAnswer');
});

test('the code of a refusal says more than its status', () => {
	const refusal = (code: string, statusCode = 400) => ofCreate({ ...status(statusCode), code });
	expect(refusal('content_policy_violation')).toBe('moderation');
	expect(refusal('quota_exceeded')).toBe('balance');
	expect(refusal('invalid_parameter')).toBe('refused');
	expect(ofCreate({ ...status(404), param: 'model' })).toBe('refused');
	expect(ofCreate({ ...status(404), param: 'prompt' })).toBe('address');
});

test('where a task may exist, nobody knows the answer, whatever came last', () => {
	expect(ofCreate(status(400), true)).toBe('noAnswer');
	expect(ofRead(status(404), true)).toBe('noAnswer');
});

const failed = (error?: unknown, state = 'failed') => taskOf('task_1', state, { error });

test.each<[Given, ErrorKind]>([
	[{ kind: 'failed' }, 'failed'],
	[{ kind: 'failed', task: failed() }, 'failed'],
	[{ kind: 'failed', task: failed({ code: 'content_policy' }) }, 'moderation'],
	[{ kind: 'failed', task: failed({ code: 'balance_too_low' }) }, 'balance'],
	[{ kind: 'failed', task: failed(undefined, 'cancelled') }, 'cancelled'],
	[{ kind: 'failed', task: failed(undefined, 'expired') }, 'expired'],
	[{ kind: 'timedOut' }, 'timeout'],
	[{ kind: 'stopped' }, 'timeout'],
	[{ kind: 'notStarted' }, 'stopped'],
])('an entry that came to %j is the kind %s', (given, kind) =>
	expect(errorKindOf(entryWith(given))).toBe(kind),
);

test('what was not sent says itself why', () =>
	expect(
		errorKindOf({
			item: 0,
			wishes: [],
			outcome: { kind: 'notSent', why: 'limit', message: '', description: '' },
		}),
	).toBe('limit'));
