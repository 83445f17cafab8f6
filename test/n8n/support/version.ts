import type { N8nVersion } from '../../../tools/n8n/versions';

/** Given by jest.config.cjs. */
declare const N8N_VERSION: N8nVersion;

/** The n8n that the tests of this file run on. */
export const version = N8N_VERSION;
