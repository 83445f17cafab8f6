import type { Bucket } from '../n8n/bucket';
import type { FilledIn } from '../n8n/examples';
import type { Simulator } from '../simulator';
import { sampleMp4, samplePng, sampleWav } from '../simulator/sampleFiles';
import { BOT_PERSON, CHANNEL, FOLDER, IMAGES_FOLDER } from './index';
import { folderLink } from './drive';

/** The folder of videos, wherever a recipe asks for it. */
export function folderSettings(id: string): FilledIn {
	const folder = folderLink(id);
	return { folder, 'Save to Drive.folderId': folder };
}

/** What a person fills in; each recipe takes what it asks for. @param host Serves the references. */
export function recipeSettings(bucket: Bucket, host: Simulator): FilledIn {
	const image = (name: string, shade: number) =>
		host.serve(name, { body: samplePng([shade]), contentType: 'image/png' });
	return {
		...folderSettings(FOLDER),
		images: folderLink(IMAGES_FOLDER),
		'Save to Bucket.bucketName': bucket.name,
		bucketUrl: bucket.url,
		'Ask in Slack.channelId': CHANNEL,
		'Tell Slack.channelId': CHANNEL,
		'Receive Message.userIds': `${BOT_PERSON}, 1`,
		imageUrls: `${image('/coat.png', 20)}, ${image('/hat.png', 30)}`,
		videoUrls: host.serve('/scene.mp4', { body: sampleMp4(), contentType: 'video/mp4' }),
		audioUrls: host.serve('/voice.wav', { body: sampleWav(), contentType: 'audio/wav' }),
	};
}
