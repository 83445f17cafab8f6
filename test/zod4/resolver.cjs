const { join, sep } = require('node:path');

/** The node, as written and as built; whatever else uses zod keeps its own. */
const NODE_CODE = ['nodes', 'credentials', 'dist'].map((name) =>
	join(__dirname, '../..', name, sep),
);

/** Gives the node zod 4, which the installed zod 3.25 has beside itself. */
module.exports = (request, options) =>
	options.defaultResolver(
		request === 'zod' && NODE_CODE.some((folder) => join(options.basedir, sep).startsWith(folder))
			? 'zod/v4'
			: request,
		options,
	);
