import { parseArgs } from 'node:util';

export interface DemoOptions {
	/** Port of n8n's editor. */
	port: number;
	simulatorPort: number;
	/** End after the example has run, instead of leaving the editor open. */
	once: boolean;
}

/** @throws Error in plain words when an option is unknown or a port is none. */
export function readOptions(args: string[]): DemoOptions {
	const { port, 'simulator-port': simulatorPort, once } = parse(args).values;
	return {
		port: portOf('--port', port),
		simulatorPort: portOf('--simulator-port', simulatorPort),
		once,
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				port: { type: 'string', default: '5678' },
				'simulator-port': { type: 'string', default: '4010' },
				once: { type: 'boolean', default: false },
			},
		});
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}\nOptions: --once, --port <number>, --simulator-port <number>`);
	}
}

/** @throws Error in plain words when it is none. */
export function portOf(option: string, text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Error(`${option} must be a whole number from 1 to 65535, not "${text}"`);
}
