import { Semaphore } from '../../../nodes/Videogen/ground/semaphore';

/** How it counts, grows and keeps order is shown by the throttle, which has one. */
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
