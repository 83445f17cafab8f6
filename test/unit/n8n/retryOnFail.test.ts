import type { IDataObject, INode } from 'n8n-workflow';
import { mayRunAgain } from '../../../nodes/Videogen/ground/n8n';

const node: INode = {
	...{ id: '1', name: 'Videogen', type: 'videogen', typeVersion: 1 },
	...{ position: [0, 0], parameters: {} },
};

test.each<[retryOnFail: boolean | undefined, first: IDataObject | undefined, expected: boolean]>([
	[true, { error: { message: 'No' } }, true],
	[true, { error: null }, true],
	[true, { id: 'task_1' }, false],
	[true, undefined, false],
	[false, { error: { message: 'No' } }, false],
	[undefined, { error: { message: 'No' } }, false],
])(
	'with Retry On Fail %j and the first item %j, n8n may run it again: %j',
	(on, first, expected) => {
		const getNode = () => ({ ...node, retryOnFail: on });
		const output = [...(first ? [{ json: first }] : []), { json: { error: 'of another item' } }];
		expect(mayRunAgain({ getNode }, first ? output : [])).toBe(expected);
	},
);
