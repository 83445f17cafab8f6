/** n8n provides zod, version 3 today: what the node uses of it also holds with version 4. */
module.exports = {
	...require('../engine/jest.config.cjs'),
	displayName: 'zod 4',
	resolver: '<rootDir>/test/zod4/resolver.cjs',
	setupFiles: ['<rootDir>/test/programs/support/quickProperties.ts'],
	testMatch: [
		'<rootDir>/test/zod4/*.test.ts',
		'<rootDir>/test/unit/{hostileParameters,interface,fields/*,files/inputs,service/{contract,task},work/{ledger,order}}.test.ts',
		'<rootDir>/test/engine/{operations,validation}.test.ts',
	],
	testTimeout: 120_000,
	maxWorkers: '100%',
};
