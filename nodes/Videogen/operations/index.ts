import { createImageVideo } from './createImageVideo';
import { createReferenceVideo } from './createReferenceVideo';
import { createTextVideo } from './createTextVideo';
import { getTask } from './getTask';
import type { Operation } from './operation';

/** Every operation of the node, in the order of the menu. The editor and execute follow it. */
export const operations: Operation[] = [
	createTextVideo,
	createImageVideo,
	createReferenceVideo,
	getTask,
];
