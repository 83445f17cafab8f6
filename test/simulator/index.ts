/** A strict stand-in for the video generation service, over real HTTP. */
export { DEFAULT_API_KEY } from './options';
export type { ResolvedOptions, SimulatorOptions } from './options';
export { startSimulator } from './simulator';
export type { Simulator } from './simulator';
export type { DeliveredCallback } from './callbacks';
export type { Fault } from './faults';
export type { FetchedMedia, MediaField } from './media';
export type { PlannedStatus, TaskPlan } from './plans';
export type { RecordedRequest, Route } from './requests';
export type { Rule } from './rules';
export type { NewTask, SimulatedTask } from './tasks';
export { newTaskId } from './tasks';
export { CLIP_BYTES } from './video';
