import fc from 'fast-check';

/** For mutation tests: that a property fails soon is enough, the least example does not matter. */
fc.configureGlobal({ endOnFailure: true, numRuns: 20 });
