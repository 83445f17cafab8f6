import type { NodeHint } from 'n8n-workflow';

/** Fields in which people give URLs of their images, videos and audio files. */
const URL_FIELDS = ['firstFrameUrl', 'lastFrameUrl', 'imageUrls', 'videoUrls', 'audioUrls'];

/** Pages around a file: Google Drive's, and Dropbox's unless they are told to give the file. */
const SHARE_PAGE = String.raw`/drive\.google\.com\/(file|open)|dropbox\.com\/(?![^\s"]*[?&](dl|raw)=1)/i`;

/** What the editor says before anything is paid. */
export const NODE_HINTS: NodeHint[] = [
	{
		message:
			'The prompt has two spaces in a row: an expression in it may be empty. Look at its preview before you run, as each video is paid.',
		location: 'ndv',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ String($parameter["prompt"] || "").trim().includes("  ") }}',
	},
	{
		message:
			'A URL leads to a page of Google Drive or Dropbox, not to the file itself. Put their node before this one to get the file, and choose “File From a Previous Node” or name its field in Reference File Fields.',
		location: 'ndv',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ ${SHARE_PAGE}.test(JSON.stringify(${JSON.stringify(URL_FIELDS)}.map((name) => $parameter[name]))) }}`,
	},
	{
		message: 'Each item creates a video, and each video is paid. Try a few items first.',
		location: 'inputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: '={{ $parameter["operation"] !== "getTask" && $input.all().length > 10 }}',
	},
];
