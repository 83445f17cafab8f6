import { startPlayedServices } from '../../../tools/mock-services';
import { startWithCleanups } from '../../../tools/n8n/cleanups';
import { startTestbed } from '../../../tools/n8n/testbed';
import type { N8nVersion } from '../../../tools/n8n/versions';

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
