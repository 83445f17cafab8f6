import { quotable } from '../shared/text';
import type { NetworkReason, ServiceError, UnreadableReason } from './answer';
import { quoteOf } from './said';

const WHY: Record<NetworkReason | UnreadableReason, string> = {
	connectionRefused: 'the connection was refused',
	noRoute: 'there is no network route to it',
	unknownHost: 'its host name was not found',
	connectTimeout: 'no connection was made in time',
	tls: 'no secure connection was possible',
	blocked: 'n8n blocks this URL',
	timeout: 'no answer came in time',
	lost: 'the connection was lost',
	empty: 'the answer was empty',
	html: 'a web page came back',
	notJson: 'the answer was not JSON',
	notTask: 'the answer was not a task',
	otherTask: 'the answer was about another task',
	tooLarge: 'the answer was larger than 1 MB',
};

/** Why Base URL does not work, as part of a sentence. */
function whyOf(error: ServiceError): string {
	if (error.kind !== 'status') return WHY[error.reason];
	const { status, location } = error;
	if (status < 400) return `it redirects to ${quotable(location ?? 'another URL')} (${status})`;
	if (status === 407) return 'a proxy asks for a login (407)';
	if (status === 403) return 'a proxy or firewall refused the request (403)';
	return `it does not know this path (${status})`;
}

function statusIn(error: ServiceError): string {
	if (error.kind === 'status') return ` (${error.status})`;
	return error.reason === 'html' ? '' : ` (${WHY[error.reason]})`;
}

/** The service's own words, ready to quote. Empty if there are none. */
export function saidOf(error: ServiceError): string {
	if (error.kind === 'status') return quoteOf(error);
	if (error.kind === 'network' || error.reason === 'html') return '';
	return error.serviceMessage ?? error.excerpt;
}

/** The values of an answer that the message catalog shows. */
export const valuesOf = (error: ServiceError) => ({ status: statusIn(error), why: whyOf(error) });
