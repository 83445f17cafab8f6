import type { TaskPlan } from './plans';
import { assertResultBytes } from './video';

const ANY_ADDRESS = 'http://host.example/';

/** True for one path segment that a client leaves as it is when it reads the address. */
function isSegment(name: string): boolean {
	if (name === '' || name.includes('/')) return false;
	return new URL(`${ANY_ADDRESS}${name}`).href === ANY_ADDRESS + name;
}

/** Throws a RangeError when no result could be served as planned. */
export function assertResultPlan({ resultBody, resultBytes, resultNames = [] }: TaskPlan): void {
	if (resultBytes !== undefined) {
		if (resultBody !== undefined) throw new RangeError('resultBody has a size of its own');
		assertResultBytes(resultBytes);
	}
	const wrong = resultNames.find((name) => !isSegment(name) || /[?#]/.test(name));
	if (wrong !== undefined) {
		throw new RangeError(`resultNames must be percent-encoded path segments: ${wrong}`);
	}
}
