/** A strict stand-in for the video generation service, over real HTTP. */
export { DEFAULT_API_KEY } from './options';
export type { ResolvedOptions, SimulatorOptions } from './options';
export { startSimulator } from './simulator';
export type { Simulator } from './simulator';
export type { DeliveredCallback } from './callbacks';
export type { Fault } from './faults';
export { CLIP_BYTES } from './files';
export type { FetchedMedia, MediaField } from './media';
export type { PlannedStatus, Rule, TaskPlan } from './plans';
export type { RecordedRequest, Route } from './requests';
export type { NewTask, SimulatedTask } from './tasks';
export { newTaskId } from './tasks';
