import { sleep } from 'n8n-workflow';
import type { Clock } from './clock';

/**
 * n8n's own sleep cannot be interrupted on its older versions, so it is taken in slices: this is
 * the longest time for which anything lingers after an execution was stopped.
 */
const SLICE_MS = 250;

/** Real time, by the only timer that n8n's cloud rules allow. */
export const n8nClock: Clock = {
	now: () => performance.now(),
	random: () => Math.random(),
	async sleep(ms, signal) {
		const endMs = performance.now() + ms;
		for (let leftMs = ms; leftMs > 0 && !signal.aborted; leftMs = endMs - performance.now()) {
			await sleep(Math.min(leftMs, SLICE_MS));
		}
	},
};
