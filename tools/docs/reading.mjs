import remarkGfm from 'remark-gfm';
import remarkRetext from 'remark-retext';
import retextEnglish from 'retext-english';
import retextReadability from 'retext-readability';
import { unified } from 'unified';

/** `npx remark --quiet --no-stdout --no-config --rc-path tools/docs/reading.mjs <file>`: sentences that people who learn English may have to read twice. */
const english = unified().use(retextEnglish).use(retextReadability, { age: 14, minWords: 8 });
export default { plugins: [remarkGfm, [remarkRetext, english]] };
