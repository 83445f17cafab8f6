/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import { chromium, type Browser } from 'playwright-core';

/** Where Debian's package puts it. */
const DEFAULT_PATH = '/usr/bin/chromium';

/** Starts the Chromium of this machine, or the one that `CHROMIUM` says, as Playwright does: with no word to its makers. */
export async function launchChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM ?? DEFAULT_PATH;
	return await chromium.launch({ executablePath, args: ['--disable-gpu', '--disable-quic'] });
}
