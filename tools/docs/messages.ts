import {
	ERROR_KINDS,
	type ErrorKind,
	kindOfMessage,
	type MessageName,
	messageOf,
	MESSAGES,
} from '../../nodes/Videogen/shared/messages';
import { WHYS } from '../../nodes/Videogen/files/downloadError';
import { answersTable } from './answers';
import { table } from './reference';

const isName = (name: string): name is MessageName => Object.hasOwn(MESSAGES, name);

/** Of all messages. */
export const NAMES = Object.keys(MESSAGES).filter(isName);

const HEADER = `# Messages

What the node says when an item does not get its video, by [kind](files-and-output.md#kinds-of-errors). A program writes
this page from the code; do not edit it. Three things are not here, and explain themselves: what is wrong with the value of
a field (kind \`invalid\`), hints in the output, and the result of the credential's test.

The first sentence says what happened; n8n shows the rest as its description. The node fills in the words in braces:
\`{status}\` is the status of the answer, as in “ (402)”, or why there is none, as in “ (the connection was lost)”. The
provider's own words follow in quotation marks, and after them “Nothing was created for this item.” if a request
that creates certainly created nothing. If On Error is set to Continue, n8n offers no Retry, and the node leaves out the
advice to retry. In the editor, it advises you to execute the node again instead, unless Reuse Videos in Editor is off.`;

/** What stands in the braces is shown as the braces with its name. */
const PLACEHOLDERS = Object.fromEntries(
	[...JSON.stringify(MESSAGES).matchAll(/\{(\w+)\}/g)].map(([braces, name = '']) => [name, braces]),
);

function entry(name: MessageName): string {
	const { message, description } = messageOf(name, { values: PLACEHOLDERS });
	return `**${message}.**\n${description}`;
}

const section = (kind: ErrorKind): string =>
	[`## \`${kind}\``, ...NAMES.filter((name) => kindOfMessage(name) === kind).map(entry)].join(
		'\n\n',
	);

const FILES = `## Why a file could not be saved

What a message of the kind \`download\` has for \`{why}\` and \`{next}\`.`;

const ANSWERS = `## Answers to a create request

A success with the \`id\` of a task created it. Any other success may have, as may a lost connection or no answer within
five minutes. Without any connection, nothing was created, and the node tries four times. For other answers, the status
decides; one that is not in the table is “Perhaps”. There are exceptions, in this order: an answer that names a task ID is
“Perhaps”; a 429 whose code says that the account is empty or the model unknown ends the item; a 400 or 422 about the
idempotency key is “Perhaps”.`;

const filesTable = (): string =>
	table(Object.values(WHYS).map(([Why, next]) => ({ Why, 'What to do': next })));

/** The page docs/messages.md. */
export const messagesText = (): string =>
	`${[HEADER, ...ERROR_KINDS.map(section), FILES, filesTable(), ANSWERS, answersTable()].join('\n\n')}\n`;
