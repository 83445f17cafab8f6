import { NodeOperationError } from 'n8n-workflow';
import { withMessage } from '../../../nodes/Videogen/ground/n8n';

test('a message that quotes the name of a system error stays what it is', () => {
	const node = {
		...{ id: '1', name: 'Videogen', type: 'videogen', typeVersion: 1 },
		parameters: {},
	};
	const message = 'The service says: “upstream ECONNREFUSED”.';
	const error = new NodeOperationError({ ...node, position: [0, 0] }, message);
	expect(error.message).not.toBe(message);
	expect(withMessage(error, message).message).toBe(message);
});
