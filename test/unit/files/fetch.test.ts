import { n8nFiles } from '../../../nodes/Videogen/files/fetch';
import { PRACTICE_URL } from '../../../nodes/Videogen/service/practice';
import { openBody } from '../../support/downloadScene';

const never = new AbortController();

const filesOf = (answer: () => object, serviceUrl?: string) => {
	const httpRequest = async () => await Promise.resolve(answer());
	const prepareBinaryData = async () => await Promise.resolve({ data: '', mimeType: '' });
	return n8nFiles({ helpers: { httpRequest, prepareBinaryData } }, serviceUrl);
};

test.each([
	[PRACTICE_URL, true],
	['https://api.example.com', false],
])('of %s, a result of practice is the practice clip: %s', async (serviceUrl, isClip) => {
	const ask = () => ({ statusCode: 418, headers: {}, body: openBody() });
	const url = `${PRACTICE_URL}/no-video-was-made/practice-1.mp4`;
	const { statusCode } = await filesOf(ask, serviceUrl).fetch(url, never.signal);
	expect(statusCode).toBe(isClip ? 200 : 418);
});
