import { Semaphore } from '../../../nodes/Videogen/shared/semaphore';

test('a semaphore lets go of who waits when the signal ends, and gives that place to the next', async () => {
	const NEVER = new AbortController().signal;
	const semaphore = new Semaphore(1);
	const end = new AbortController();
	await semaphore.acquire(NEVER);
	const leaving = semaphore.acquire(end.signal);
	const staying = semaphore.acquire(NEVER);
	end.abort();
	expect(await leaving).toBe(false);
	expect(await semaphore.acquire(end.signal)).toBe(false);
	semaphore.release();
	expect(await staying).toBe(true);
});

test('a semaphore that shrinks lets nobody in before there is room, and one that grows lets in whom it can', async () => {
	const NEVER = new AbortController().signal;
	const semaphore = new Semaphore(2);
	const came: number[] = [];
	semaphore.acquireOverLimit();
	const waiting = [1, 2, 3].map(
		async (index) => (await semaphore.acquire(NEVER)) && came.push(index),
	);
	semaphore.resize(1);
	semaphore.release();
	await waiting[0];
	expect(came).toEqual([1]);
	semaphore.resize(2);
	await waiting[1];
	expect(came).toEqual([1, 2]);
	semaphore.release();
	await waiting[2];
	expect(came).toEqual([1, 2, 3]);
});
