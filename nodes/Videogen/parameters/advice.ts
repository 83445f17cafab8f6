import { MAX_URL_CHARACTERS } from '../common/bounds';

/** Sentences on what to do, for checks of values and for messages. */

export const PASTE_KEY =
	"Open the Videogen credential and paste the key from the provider's console.";
export const GIVE_BASE_URL =
	'Open the Videogen credential and give the URL of the service, such as https://api.example.com, without a login, ? or #.';

export const GIVE_SCHEME = 'Begin it with https://, as in https://api.example.com.';

export const GIVE_FULL_URL = `Use a full URL that begins with http:// or https:// and has at most ${MAX_URL_CHARACTERS} characters.`;
export const USE_THEIR_NODE =
	'leads to a page of Google Drive or Dropbox, not to the file itself: put their node before this one, and use its file.';

export const GIVE_FILE =
	'No file came in at all: put a node before this one that gives one, such as Google Drive or HTTP Request.';
export const PASS_ALONG =
	'Pass the file along to this node, so that it is in a binary field of the item, and give the name of that field.';
export const STORE_FILES =
	'Whoever runs this n8n can set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or database, in queue mode) and restart it.';
export const STORE_THIS_FILE = `If a Code node made the file, let it use this.helpers.prepareBinaryData. ${STORE_FILES} Or give a URL instead of a file.`;

export const SET_PUBLIC_URL =
	'Whoever runs this n8n can set WEBHOOK_URL to its whole public URL, for example https://n8n.example.com/, without quotes, and restart it.';
