import { measure } from '../programs/count/codeLines';

const CODE = `import type { One } from './one';
import {
	two,
} from './two';

/**
 * A comment.
 */
export class Fox {
	// Another.
	private readonly one: One; // A third.

	stop(): void {
		/* A fourth. */ two(() => {
			two();
		});
	}
}

const run = (): string => \`a

\${two()}
\`;

type Runs = (
	one: One,
) => void;
`;

test('comments, imports and blank lines are not counted, neither in a file nor in a function', () => {
	expect(measure('fox.ts', CODE)).toEqual({
		file: 'fox.ts',
		length: 14,
		functions: [
			{ name: 'stop', line: 13, length: 5 },
			{ name: 'a function', line: 14, length: 3 },
			{ name: 'run', line: 20, length: 3 },
		],
	});
});

test('every line of JSON counts that is not blank', () => {
	expect(measure('fox.json', '{\n\t"a": 1,\n\n\t"b": 2\n}\n').length).toBe(4);
});
