import fc from 'fast-check';
import { SEED } from './tellSeed';

/** Every test that draws values draws the same ones again. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
