import { z } from 'zod';

const manifestSchema = z.object({ version: z.string(), repository: z.object({ url: z.string() }) });

/**
 * The README as npm is to show it: npm finds no image by a relative path, so that each gets the URL
 * at which GitHub serves it for this version.
 */
export function readmeForNpm(readme: string, manifest: unknown): string {
	const { version, repository } = manifestSchema.parse(manifest);
	const { pathname } = new URL(repository.url.replace(/^git\+/, ''));
	const host = `https://raw.githubusercontent.com${pathname.replace(/\.git$/, '')}/v${version}`;
	return readme.replaceAll('](docs/images/', `](${host}/docs/images/`);
}
