import type { Answer } from './answer';
import type { GenerationRequest } from './contract/request';

/**
 * What makes videos and tells how they stand (service-spec.md, section 4). It answers in values:
 * nothing is thrown and nothing is sent twice. Those who use it do not know which one they have.
 */
export interface Service {
	/**
	 * Section 4.1.
	 * @param orderKey Services that honour it make one task of all creates that carry the same one.
	 */
	create(request: GenerationRequest, orderKey: string): Promise<Answer>;
	/** Section 4.2. Ends when the signal aborts, and after this time at the latest. */
	read(taskId: string, signal?: AbortSignal, atMostMs?: number): Promise<Answer>;
}
