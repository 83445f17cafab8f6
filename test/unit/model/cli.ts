import { play } from './play';
import { shown } from './report';
import { videogen } from './rules';
import type { LifeKind } from './scenario';

/**
 * Plays random lives with the decisions of this node, and prints what was broken, with the shortest
 * life of each: `npx tsx test/unit/model/cli.ts FROM TO '{"branch":true,"editor":false}'`.
 */
const [from = '0', to = '20000', options = '{}'] = process.argv.slice(2);
const kind: LifeKind = JSON.parse(options);
const startedAt = performance.now();
const { lives, endings, findings } = play(Number(from), Number(to), kind, videogen);
const seconds = Math.round((performance.now() - startedAt) / 1000);
const summary = `${lives} lives in ${seconds} s, ${JSON.stringify(endings)}`;
process.stdout.write(`${[summary, ...findings.map(shown)].join('\n\n')}\n`);
