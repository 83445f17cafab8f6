import { CREATE_PATH, TASKS_PATH, modelOf } from '../../simulator/contract';
import { taskRecordSchema } from '../../simulator/taskRecord';
import {
	DEFAULT_API_KEY,
	type Simulator,
	type SimulatorOptions,
	startSimulator,
} from '../../simulator';

const FAMILY = 'videogen-2.5';
export const TEXT_REQUEST = { model: modelOf(FAMILY, 'text-to-video'), prompt: 'A lighthouse' };
export const IMAGE_REQUEST = {
	model: modelOf(FAMILY, 'image-to-video'),
	prompt: 'Waves move',
	image_urls: ['https://media.example/a.png'],
};
export const REFERENCE_REQUEST = { ...IMAGE_REQUEST, model: modelOf(FAMILY, 'reference-to-video') };
export const AUTHORIZED = { authorization: `Bearer ${DEFAULT_API_KEY}` };

/** A clock that a test moves, and the simulators on it. */
export class SimulatorScene {
	nowMs = 1_700_000_000_000;
	private readonly started: Array<{ close: () => Promise<unknown> }> = [];

	async start(options: SimulatorOptions = {}): Promise<Simulator> {
		return this.closes(await startSimulator({ now: () => this.nowMs, ...options }));
	}

	/** Closes it at the end of the test. */
	closes<Server extends { close: () => Promise<unknown> }>(server: Server): Server {
		this.started.push(server);
		return server;
	}

	async end(): Promise<void> {
		await Promise.all(this.started.splice(0).map(async (server) => await server.close()));
	}
}

/** Posts what is given, objects as JSON. */
export const create = async (
	sim: Simulator,
	body: unknown = TEXT_REQUEST,
	headers: Record<string, string> = AUTHORIZED,
): Promise<Response> =>
	await fetch(`${sim.baseUrl}/${CREATE_PATH}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});

export const read = async (sim: Simulator, id: string, init: RequestInit = {}): Promise<Response> =>
	await fetch(`${sim.baseUrl}/${TASKS_PATH}/${id}`, { headers: AUTHORIZED, ...init });

/** What a good answer says; fails when it is no record of the contract. */
export const recordOf = async (response: Response) => taskRecordSchema.parse(await response.json());

export const createdId = async (sim: Simulator, more: object = {}): Promise<string> =>
	(await recordOf(await create(sim, { ...TEXT_REQUEST, ...more }))).id;

export const readRecord = async (sim: Simulator, id: string) => await recordOf(await read(sim, id));
