import type { TaskPlan } from './plans';
import { type Reply, bodyReply } from './replies';
import { sampleMp4 } from './sampleFiles';

/** What a test puts at a path with `serve`; left out, it is an empty file. */
export interface HostedFile {
	body?: string | Buffer;
	contentType?: string;
}

export const hostedReply = ({
	body = '',
	contentType = 'application/octet-stream',
}: HostedFile): Reply => bodyReply(200, { 'content-type': contentType }, body);

/** The file that each result of a task is. */
export const resultReply = ({ resultBody = sampleMp4() }: TaskPlan): Reply =>
	bodyReply(200, { 'content-type': 'video/mp4' }, resultBody);
