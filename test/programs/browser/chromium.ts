import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Debian's package puts it. */
const DEFAULT_PATH = '/usr/bin/chromium';

/** No window, and no word to its makers. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
] as const;

/**
 * Starts the Chromium of this machine.
 * @throws Error that says how to get one when there is none.
 */
export async function launchChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM ?? DEFAULT_PATH;
	if (!existsSync(executablePath)) {
		throw new Error(
			`There is no Chromium at ${executablePath}. On Debian and Ubuntu, install it with ` +
				'"apt-get install chromium"; elsewhere, set CHROMIUM to the path of one.',
		);
	}
	return await chromium.launch({ executablePath, args: [...FLAGS] });
}
