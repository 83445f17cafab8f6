import { getEventListeners } from 'node:events';
import { onAbort } from '../../nodes/Videogen/ground/clock';

describe('onAbort', () => {
	it('calls everybody back who still waits, once, with one listener for all', () => {
		const end = new AbortController();
		const called: number[] = [];
		const stops = Array.from({ length: 20 }, (_, index) =>
			onAbort(end.signal, () => called.push(index)),
		);
		expect(getEventListeners(end.signal, 'abort')).toHaveLength(1);
		stops.slice(2).forEach((stop) => stop());
		end.abort();
		end.abort();
		expect(called).toEqual([0, 1]);
	});

	it('keeps signals apart', () => {
		const [one, other] = [new AbortController(), new AbortController()];
		const called: string[] = [];
		onAbort(one.signal, () => called.push('one'));
		onAbort(other.signal, () => called.push('other'));
		other.abort();
		expect(called).toEqual(['other']);
	});
});
