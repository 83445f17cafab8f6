/** A strict stand-in for the video generation service, over real HTTP. */
export { DEFAULT_API_KEY } from './options';
export type { SimulatorOptions } from './options';
export { startSimulator } from './simulator';
export type { Simulator } from './simulator';
export type { Fault } from './faults';
export type { Rule, TaskPlan } from './plans';
export type { RecordedRequest } from './requests';
export type { SimulatedTask } from './tasks';
