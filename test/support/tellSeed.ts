import { SEED } from './fuzz';

/** Once for all test files. */
export default function tellSeed(): void {
	process.stdout.write(`Tests that draw values: seed ${SEED}; FUZZ_SEED plays others\n`);
}
