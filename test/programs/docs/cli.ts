import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { referenceText } from './reference';

/** `npm run docs` */
writeFileSync(path.join(__dirname, '../../..', 'docs', 'reference.md'), referenceText());
