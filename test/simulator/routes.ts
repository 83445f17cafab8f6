import { CREATE_PATH, TASKS_PATH } from '../../nodes/Videogen/contract/limits';
import type { Route } from './requests';

/** Where a request is headed. */
export interface Target {
	route: Route;
	/** As in the path; it need not be well-formed. */
	taskId?: string;
	/** Counted from 1. */
	resultNumber?: number;
	/** As in the path: still percent-encoded. */
	resultName?: string;
	/** Methods that the path does take, when this one is not among them. */
	allow?: string;
}

interface PathRule {
	route: Exclude<Route, 'other'>;
	methods: string[];
	/** Relative to the base address; its groups are the task id, the result's number and its name. */
	pattern: RegExp;
}

const PATH_RULES: PathRule[] = [
	{ route: 'create', methods: ['POST'], pattern: new RegExp(`^/${CREATE_PATH}$`) },
	{ route: 'task', methods: ['GET'], pattern: new RegExp(`^/${TASKS_PATH}/([^/]+)$`) },
	{
		route: 'result',
		methods: ['GET', 'HEAD'],
		pattern: /^\/results\/([^/]+)\/(\d+)(?:\.mp4|\/([^/]+))$/,
	},
];

const decoded = (text: string): string => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};

/** Paths are taken literally: a doubled or trailing slash leads nowhere. */
export function targetOf(method: string, path: string, pathPrefix: string): Target {
	const pathname = path.split('?')[0] ?? '';
	if (!pathname.startsWith(`${pathPrefix}/`)) return { route: 'other' };
	for (const { route, methods, pattern } of PATH_RULES) {
		const found = pattern.exec(pathname.slice(pathPrefix.length));
		if (!found) continue;
		if (!methods.includes(method)) return { route: 'other', allow: methods.join(', ') };
		const [, id, number, name] = found;
		return {
			route,
			...(id !== undefined && { taskId: decoded(id) }),
			...(number !== undefined && { resultNumber: Number(number) }),
			...(name !== undefined && { resultName: name }),
		};
	}
	return { route: 'other' };
}
