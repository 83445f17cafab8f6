import { codesOf } from '../../../nodes/Videogen/ground/errors';

test('only texts count as codes of an error', () => {
	expect(codesOf({ code: 7, httpCode: 'ECONNRESET' })).toEqual(['ECONNRESET']);
	expect(codesOf({ code: 'E1', httpCode: 'E2' })).toEqual(['E1', 'E2']);
});
