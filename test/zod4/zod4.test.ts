/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { join } from 'node:path';
import { z } from 'zod';
import { requestSchemas } from '../../nodes/Videogen/service/contract/request';

/** What every schema of zod 4 has, and none of zod 3. */
const ZOD_4 = '_zod';

test('these tests run the node with zod 4, as written and as built, and themselves with zod 3', () => {
	const built: unknown = jest.requireActual(
		join(__dirname, '../../dist/nodes/Videogen/service/contract/request.js'),
	);
	expect(requestSchemas['image-to-video']).toHaveProperty(ZOD_4);
	expect(built).toHaveProperty(['requestSchemas', 'image-to-video', ZOD_4]);
	expect(z.string()).not.toHaveProperty(ZOD_4);
});
