import { MAX_NAME_CHARACTERS } from '../shared/text';
import { isPracticeId } from '../service/practice';
import { extensionOf } from './types';

/** Enough of the prompt to recognize a video. */
const MAX_PROMPT_CHARACTERS = 30;

/** Enough of the ID to tell apart videos of the same prompt. */
const ID_CHARACTERS = 4;

/**
 * Names the file of a result, for example `a-red-fox-in-snow-8fk2.mp4`: the first words of the
 * prompt and the end of the task ID. The name is safe on every file system.
 * @param index 0 for the first result of the task. The others have it in their names.
 * @param prompt Absent for a task that the node only reads.
 */
export function fileNameOf(taskId: string, index: number, mediaType: string, prompt = ''): string {
	const idEnd = (taskId.match(/[a-z\d]/gi) ?? []).slice(-ID_CHARACTERS).join('');
	const parts = [isPracticeId(taskId) ? 'practice' : '', beginningOf(prompt) || 'video', idEnd];
	const stem = parts.filter((part) => part !== '').join('-');
	return `${stem}${index === 0 ? '' : `_${index}`}.${extensionOf(mediaType)}`;
}

/**
 * The first words, with letters and digits of any script, and the marks on them. Empty if the prompt
 * has none.
 */
function beginningOf(prompt: string): string {
	const text = prompt.slice(0, MAX_NAME_CHARACTERS).normalize('NFC').toLowerCase();
	const words = Array.from((text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []).join('-'));
	const cut = words.slice(0, MAX_PROMPT_CHARACTERS).join('');
	const endsWithWord = [undefined, '-'].includes(words[MAX_PROMPT_CHARACTERS]);
	// Drop a word that was cut off, unless it is the only one.
	return endsWithWord ? cut : cut.replace(/-[^-]*$/, '');
}
