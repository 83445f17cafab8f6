import './seed';
import fc from 'fast-check';

/** For mutation tests: that a property fails soon is enough, the least example does not matter. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true, numRuns: 20 });
