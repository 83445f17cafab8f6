import { rmSync, writeFileSync } from 'node:fs';
import ensureFreshBuild from '../support/freshBuild';
import { FOLDER, LABELS_FILE, savedLabels } from './labels';
import { SCENES } from './scenes';
import { Studio } from './studio';

/** `npm run pictures`: takes all pictures of the documents anew, or those whose names are given. */
async function main(): Promise<void> {
	const wanted = process.argv.slice(2);
	const scenes = Object.entries(SCENES).filter(
		([name]) => wanted.length === 0 || wanted.some((one) => name.startsWith(one)),
	);
	ensureFreshBuild();
	if (wanted.length === 0) rmSync(FOLDER, { recursive: true });
	const studio = await Studio.open();
	try {
		for (const [name, scene] of scenes) {
			process.stdout.write(`${name}\n`);
			studio.bed.sim.reset();
			await scene(studio);
		}
	} finally {
		const all = Object.entries({ ...savedLabels(), ...studio.camera.shown }).sort();
		writeFileSync(LABELS_FILE, `${JSON.stringify(Object.fromEntries(all), null, '\t')}\n`);
		await studio.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
