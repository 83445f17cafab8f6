import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { convertCompilerOptionsFromJson, readConfigFile, sys, transpileModule } from 'typescript';
import { z } from 'zod';
import type { Mutant } from './mutant';

const PROJECT = path.resolve(__dirname, '../../..');
const PRODUCT = ['nodes', 'credentials'];

const configSchema = z.object({ compilerOptions: z.unknown() });

function compilerOptions() {
	const { config } = readConfigFile(path.join(PROJECT, 'tsconfig.json'), sys.readFile);
	return convertCompilerOptionsFromJson(configSchema.parse(config).compilerOptions, PROJECT)
		.options;
}

/** A copy of the project as it is in its folder, built, in which mutants disturb nobody. */
export class ProjectCopy {
	readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'videogen-mutants-')));

	private readonly options = compilerOptions();

	constructor() {
		const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
			cwd: PROJECT,
			encoding: 'utf8',
		});
		const exists = (file: string) => existsSync(path.join(PROJECT, file));
		for (const file of listed.split('\0').filter((one) => one !== '' && exists(one))) {
			cpSync(path.join(PROJECT, file), this.at(file));
		}
		symlinkSync(path.join(PROJECT, 'node_modules'), this.at('node_modules'));
		for (const folder of PRODUCT) {
			cpSync(this.at(folder), this.at(path.join('dist', folder)), { recursive: true });
			const files = readdirSync(this.at(folder), { recursive: true, encoding: 'utf8' });
			this.build(files.map((file) => path.join(folder, file)));
		}
	}

	/**
	 * Does something while the mutant is applied.
	 * @throws Error when its patch does not apply
	 */
	async withMutant<T>({ patchFile, changedFiles }: Mutant, work: () => Promise<T>): Promise<T> {
		this.apply(patchFile);
		this.build(changedFiles);
		try {
			return await work();
		} finally {
			this.apply('--reverse', patchFile);
			this.build(changedFiles);
		}
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	private at(file: string): string {
		return path.join(this.folder, file);
	}

	private apply(...args: string[]): void {
		// In a repository around the folder, Git would take the names of files from its root.
		const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(this.folder) };
		execFileSync('git', ['apply', ...args], { cwd: this.folder, env, stdio: 'pipe' });
	}

	/** Compiles without checking types, which would take seconds. */
	private build(files: string[]): void {
		for (const file of files.filter((one) => one.endsWith('.ts'))) {
			const text = readFileSync(this.at(file), 'utf8');
			const { outputText } = transpileModule(text, { compilerOptions: this.options });
			writeFileSync(this.at(path.join('dist', file.replace(/\.ts$/, '.js'))), outputText);
		}
	}
}
