import { contextInWebhook } from '../../../nodes/Videogen/ground/n8n';

/** What n8n is asked to evaluate for the webhook of a node, and answers. */
function evaluating(name: string, answer: unknown) {
	const expressions: string[] = [];
	const context = {
		getNode: () => ({ id: '1', name, type: '', typeVersion: 1, position: [0, 0], parameters: {} }),
		evaluateExpression: (expression: string) => {
			expressions.push(expression);
			return answer;
		},
	};
	return {
		expressions,
		text: contextInWebhook(Object.assign(Object.create(null), context), 'kept'),
	};
}

test.each(['V]) .constructor', `"'\\\`{{ }} $json`, '🎬', '__proto__', 'a\nb'])(
	'the expression for a node named %s is of it, and has nothing for n8n to forbid',
	(name) => {
		const { expressions, text } = evaluating(name, '{"a":1}');
		const pattern = /^\{\{ JSON\.stringify\(\$\(("(?:\\u[\da-f]{4})+")\)\.context\.kept\) \}\}$/;
		const [, literal = '""'] = pattern.exec(expressions[0] ?? '') ?? [];
		expect(JSON.parse(literal)).toBe(name);
		expect(text).toBe('{"a":1}');
	},
);
