import { type Finding, play, type Played } from './play';
import { videogen } from './rules';
import type { LifeKind } from './scenario';

/**
 * Plays random lives with the decisions of this node, and prints what was broken, with the shortest
 * life of each rule: `npx tsx test/money/model/cli.ts FROM TO '{"branch":true}'`.
 */
const [from = '0', to = '20000', options = '{}'] = process.argv.slice(2);
const kind: LifeKind = JSON.parse(options);
const startedAt = performance.now();
const played = play({ from: Number(from), to: Number(to) }, kind, videogen);
process.stdout.write(`${report(played)}\n`);
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
process.stdout.write(`${seconds} s\n`);

function report({ lives, endings, findings }: Played): string {
	const byCount = [...findings.values()].sort((one, other) => other.lives - one.lives);
	return [`${lives} lives, ${JSON.stringify(endings)}`, ...byCount.map(shown)].join('\n\n');
}

function shown({ rule, lives, seed, what, trace, scenario }: Finding): string {
	const { flow, wayBack, itemCount, hasEqualItems, service } = scenario;
	const world = [
		...[`flow ${flow}${flow === 'loop' ? `, way back ${wayBack}` : ''}`, `${itemCount} items`],
		...(hasEqualItems ? ['equal'] : []),
		`service keys ${service.keys}`,
		...(service.checkFirst ? ['checks first'] : []),
		...(service.keepErrors ? ['keeps errors'] : []),
		...(service.bodyCheck ? ['compares bodies'] : []),
	].join(', ');
	const lines = [world, ...trace].map((line) => `   ${line}`);
	return [`## ${rule}: ${lives} (seed ${seed}) ${what}`, ...lines].join('\n');
}
