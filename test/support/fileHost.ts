/** A second simulator, of which only `serve`, `requests` and `leaks` are used. */
export { startSimulator as startFileHost } from '../simulator';
export type { Simulator as FileHost } from '../simulator';
