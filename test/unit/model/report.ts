import type { Finding } from './play';

/** A finding with the life that shows it, as short as there is one. */
export function shown({ rule, lives, seed, what, trace, scenario, accepted }: Finding): string {
	const { flow, wayBack, itemCount, hasEqualItems, service } = scenario;
	const world = [
		`flow ${flow}${flow === 'loop' ? `, way back ${wayBack}` : ''}`,
		`${itemCount} items${hasEqualItems ? ', equal' : ''}`,
		`service keys ${service.keys}`,
		...(service.checkFirst ? ['checks first'] : []),
		...(service.keepErrors ? ['keeps errors'] : []),
		...(service.bodyCheck ? ['compares bodies'] : []),
	].join(', ');
	const title = `## ${rule}: ${lives} (seed ${seed}) ${what}`;
	const why = accepted ? [`Accepted, one in ${accepted.oneIn}: ${accepted.why}`] : [];
	return [title, ...why, ...[world, ...trace].map((line) => `   ${line}`)].join('\n');
}
