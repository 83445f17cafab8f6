import { continuesOnError, isTool } from '../../../nodes/Videogen/ground/n8n';

const nodeWith = (type: string, goesOn: boolean) => ({
	getNode: () => ({ type }),
	continueOnFail: () => goesOn,
});

test.each([
	['videogen', false, false],
	['videogen', true, true],
	['videogenTool', false, true],
	['videogenTool', true, true],
	['videogenToolbox', false, false],
])(
	'how a node ends in an error %s, set to continue %s: it goes on %s',
	(type, goesOn, expected) => {
		const node = nodeWith(type, goesOn);
		expect(isTool(node)).toBe(type === 'videogenTool');
		expect(continuesOnError(node)).toBe(expected);
	},
);
