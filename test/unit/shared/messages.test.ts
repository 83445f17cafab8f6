import {
	ERROR_KINDS,
	kindOf,
	LABELS,
	type MessageName,
	messageOf,
	MESSAGES,
	NOTHING_CREATED,
} from '../../../nodes/Videogen/shared/messages';

const isName = (name: string): name is MessageName => Object.hasOwn(MESSAGES, name);
const NAMES = Object.keys(MESSAGES).filter(isName);

/** Of one character, so that what is filled in has no words of its own. */
const VALUES = Object.fromEntries(
	NAMES.flatMap((name) => [...MESSAGES[name].matchAll(/\{(\w+)\}/g)]).map(([, field = '']) => [
		field,
		'7',
	]),
);

const whole = (name: MessageName) => messageOf(name, { values: VALUES });

describe.each(NAMES)('the message %s', (name) => {
	const { message, description } = whole(name);

	test('says what happened and what to do, in few sentences', () => {
		expect(message).toMatch(/^[A-Z'7]/);
		expect(message).not.toMatch(/[.\s]$|\. /);
		if (name === 'invalid') return;
		expect(description).toMatch(/^[A-Z'7].*\.$/);
		expect(description.split(/(?<=[.:])\s+(?=[A-Z'])/).length).toBeLessThanOrEqual(3);
	});

	test('names the task once, and no field that is not there', () => {
		expect(MESSAGES[name].split('{id}').length).toBeLessThanOrEqual(2);
		const labels: string[] = Object.values(LABELS);
		const named = [...MESSAGES[name].matchAll(/(?<!\w)'([^']+)'/g)].map(([, label = '']) => label);
		expect(named.filter((label) => !labels.includes(label))).toEqual([]);
	});

	test('has no filler, no retired word and no character beyond Latin', () => {
		const text = `${message} ${description}`;
		expect(text).not.toMatch(/\b(?:error|failure|problem|order\w*|made|told|parted|taken)\b/i);
		expect(text).not.toMatch(/[^\u0020-\u00ff]| {2}/);
	});
});

test('every kind has a message of its name, and every message a kind', () => {
	expect(ERROR_KINDS.filter((kind) => kindOf(kind) !== kind)).toEqual([]);
	expect(NAMES.filter((name) => !ERROR_KINDS.includes(kindOf(name)))).toEqual([]);
});

test('the words of the service stand between what happened and what to do', () => {
	const facts = { said: 'No', values: { status: ' (400)' }, isNothingCreated: true };
	expect(messageOf('moderation', facts)).toEqual({
		kind: 'moderation',
		message: 'The provider rejected the content (400)',
		description: `The provider says: "No". ${NOTHING_CREATED} Change the prompt or the files, and execute again.`,
	});
});

test('what is not known leaves nothing, and another kind may be given', () => {
	expect(messageOf('refused', { kind: 'invalid' })).toMatchObject({
		kind: 'invalid',
		message: 'The provider did not accept the request',
	});
	expect(messageOf('download', { values: { id: 7 } }).description).toMatch(/^Use 'Get Task' .* 7 /);
});
