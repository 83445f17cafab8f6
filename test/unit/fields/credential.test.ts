import { connectionFrom } from '../../../nodes/Videogen/fields/credential';
import { refusalOf } from './planned';
import { DEFAULT_MODEL_FAMILY } from '../../../nodes/Videogen/service/contract/limits';

const credential = { apiKey: 'key-1234567890', baseUrl: 'https://e.com/video/' };
const connection = { apiKey: 'key-1234567890', baseUrl: 'https://e.com/video' };

describe('the model family of a credential', () => {
	test.each([undefined, '', '  ', 7])('that is %j is the usual one', (modelFamily) => {
		expect(
			connectionFrom({ ...credential, ...(modelFamily !== undefined && { modelFamily }) }),
		).toEqual({ ...connection, modelFamily: DEFAULT_MODEL_FAMILY, isPractice: false });
	});
});

describe('an API key that no header can carry', () => {
	test.each(['key with spaces', 'schlüssel-123', 'key\u0007', 'key\nkey', '…1234567890'])(
		'%j is refused, and not repeated',
		(apiKey) => {
			const { field, message } = refusalOf(() => connectionFrom({ ...credential, apiKey }));
			expect([field.displayName, message.includes(apiKey)]).toEqual(['API Key', false]);
		},
	);
});
