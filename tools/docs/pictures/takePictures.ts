/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { rmSync, writeFileSync } from 'node:fs';
import ensureFreshBuild from '../../n8n/freshBuild';
import { FOLDER, LABELS_FILE, savedLabels } from './labels';
import { SCENES } from './scenes';
import { openStudio } from './studio';

/** Takes all pictures of the documents anew, or those whose names are given. */
export async function takePictures(wanted: readonly string[]): Promise<void> {
	const scenes = Object.entries(SCENES).filter(
		([name]) => wanted.length === 0 || wanted.some((one) => name.startsWith(one)),
	);
	ensureFreshBuild();
	if (wanted.length === 0) rmSync(FOLDER, { recursive: true });
	const studio = await openStudio();
	try {
		for (const [name, scene] of scenes) {
			process.stdout.write(`${name}\n`);
			studio.bed.sim.reset();
			await scene(studio);
		}
	} finally {
		const all = Object.entries({ ...savedLabels(), ...studio.camera.shown }).sort();
		writeFileSync(LABELS_FILE, `${JSON.stringify(Object.fromEntries(all), null, '\t')}\n`);
		await studio.stop();
	}
}
