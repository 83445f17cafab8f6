import {
	ERROR_KINDS,
	type ErrorKind,
	kindOf,
	type MessageName,
	messageOf,
	MESSAGES,
} from '../../nodes/Videogen/shared/messages';
import { WHYS } from '../../nodes/Videogen/files/downloadError';
import { table } from './reference';

const isName = (name: string): name is MessageName => Object.hasOwn(MESSAGES, name);

const NAMES = Object.keys(MESSAGES).filter(isName);

const HEADER = `# Messages

Every message of the node about an item that did not get what it asked for, by its [kind](files-and-output.md#kinds-of-errors).
A program writes this page from the code; do not edit it. What a field does not allow, it says itself (kind \`invalid\`).

The first sentence says what happened; n8n shows the rest as its description. Words in braces are filled in: \`{status}\`
is the status of the answer, as in “ (402)”. If the provider said something, its own words stand in quotation marks
between the two, followed by “Nothing was created for this item.” where that is certain.`;

/** What stands in the braces is shown as the braces with its name. */
const PLACEHOLDERS = Object.fromEntries(
	Object.values(MESSAGES).flatMap((text) =>
		[...text.matchAll(/\{(\w+)\}/g)].map(([braces, name = '']) => [name, braces]),
	),
);

function entry(name: MessageName): string {
	const { message, description } = messageOf(name, { values: PLACEHOLDERS });
	return `**${message}.**\n${description}`;
}

const section = (kind: ErrorKind): string =>
	[`## \`${kind}\``, ...NAMES.filter((name) => kindOf(name) === kind).map(entry)].join('\n\n');

const FILES = `## Why a file could not be saved

What stands for \`{why}\` and \`{next}\` in a message of the kind \`download\`.`;

const filesTable = (): string =>
	table(Object.values(WHYS).map(([Why, next]) => ({ Why, 'What to do': next })));

/** The page docs/messages.md. */
export const messagesText = (): string =>
	`${[HEADER, ...ERROR_KINDS.map(section), FILES, filesTable()].join('\n\n')}\n`;
