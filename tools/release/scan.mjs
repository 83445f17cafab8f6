// n8n's own scanner over a folder, as n8n runs it on sources and on published packages. It is an
// ES module with no types, so tests start it as a program: `node scan.mjs sources|tarball <folder>`.
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

const [, , kind, folder] = process.argv;
const patterns = kind === 'sources' ? SOURCE_FILE_PATTERNS : TARBALL_FILE_PATTERNS;
const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
process.stdout.write(JSON.stringify({ passed, message, details }));
