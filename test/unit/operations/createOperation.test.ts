import { createReferenceVideo } from '../../../nodes/Videogen/operations/createReferenceVideo';
import { createTextVideo } from '../../../nodes/Videogen/operations/createTextVideo';
import { requestOf } from '../fields/planned';

const HALF = '\ud83e';

test('every text that is sent is well-formed, names and Model Parameters included', async () => {
	const modelParams = { [`a${HALF}`]: [{ b: `${HALF}x` }, '🦊'], c: String.raw`\ud83e`, d: 7 };
	const options = { modelParams, modelFamily: `fox${HALF}` };
	expect(await requestOf(createTextVideo, { prompt: `A fox 🦊${HALF}`, options })).toMatchObject({
		prompt: 'A fox 🦊\ufffd',
		model: 'fox\ufffd-text-to-video',
		model_params: { 'a\ufffd': [{ b: '\ufffdx' }, '🦊'], c: String.raw`\ud83e`, d: 7 },
	});
	const imageUrls = [`https://e.com/${HALF}`];
	const { image_urls } = Object(await requestOf(createReferenceVideo, { imageUrls }));
	expect(image_urls).toEqual(['https://e.com/\ufffd']);
});
