import { startPlayedServices } from '../../programs/playedServices';
import { startWithCleanups } from '../../programs/realN8n/cleanups';
import { startTestbed } from '../../programs/realN8n/testbed';
import type { N8nVersion } from '../../programs/realN8n/versions';

/** A real n8n for which Google, Slack and Telegram are played on this machine. */
export type RecipeEnvironment = Awaited<ReturnType<typeof startRecipeEnvironment>>;

export const startRecipeEnvironment = async (version: N8nVersion) =>
	await startWithCleanups(async (cleanups) => {
		const services = await startPlayedServices();
		cleanups.add(services.close);
		const environment = await startTestbed(version, services.env);
		cleanups.add(environment.stop);
		return { ...environment, services };
	});
