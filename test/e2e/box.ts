/** A machine of one's own for a test: a repository, a home, the real command line. Nothing of it survives the test. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MAYDAY } from '../mayday-under-test.ts';

export interface Called {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Box {
  readonly folder = mkdtempSync(join(tmpdir(), 'mayday-test-'));
  readonly home = join(this.folder, 'home');
  readonly repository = join(this.folder, 'repository');
  readonly bin = MAYDAY;
  /** Further variables for every command. */
  readonly env: Record<string, string> = {};

  constructor(files: Readonly<Record<string, string>> = { 'README.md': 'x\n' }) {
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', this.repository]);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(this.repository, name), content);
    if (Object.keys(files).length > 0) {
      this.git('add', '--all');
      this.git('commit', '--quiet', '-m', 'first');
    }
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@localhost', ...args], {
      cwd: this.repository,
      encoding: 'utf8',
    });
  }

  policy(values: Readonly<Record<string, number>>): this {
    writeFileSync(join(this.folder, 'mayday.yaml'), '');
    const lines = Object.entries(values).map(([key, value]) => `  ${key}: ${value}`);
    execFileSync('mkdir', ['-p', this.home]);
    writeFileSync(join(this.home, 'mayday.yaml'), `policy:\n${lines.join('\n')}\n`);
    return this;
  }

  start(
    args: readonly string[],
    options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly detached?: boolean } = {},
  ): { readonly child: ChildProcess; readonly done: Promise<Called> } {
    return this.#spawn(process.execPath, [MAYDAY, ...args], options);
  }

  #spawn(
    command: string,
    args: readonly string[],
    options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly detached?: boolean },
  ): { readonly child: ChildProcess; readonly done: Promise<Called> } {
    const child = spawn(command, args, {
      cwd: options.cwd ?? this.repository,
      env: { ...process.env, MAYDAY_HOME: this.home, ...this.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: options.detached ?? false,
    });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const done = new Promise<Called>((settle) =>
      child.once('close', (exitCode) => settle({ exitCode, stdout, stderr })),
    );
    return { child, done };
  }

  async call(...args: string[]): Promise<Called> {
    return await this.start(args).done;
  }

  /** For what only a shell can do; it stands in the box's folder. */
  async shell(script: string): Promise<Called> {
    return await this.#spawn('sh', ['-c', script], { cwd: this.folder }).done;
  }

  /** The last run's public document. */
  async show(): Promise<
    Record<string, unknown> & {
      run_id: string;
      state: string;
      attempts: Record<string, unknown>[];
      incidents: Record<string, unknown>[];
    }
  > {
    const { stdout, stderr } = await this.call('ps', '--json');
    const runs = JSON.parse(stdout) as [never];
    if (!Array.isArray(runs)) throw new Error(`no list of runs: ${stdout} ${stderr}`);
    return runs[0];
  }

  /** Processes that belong to this box: keepers, attendants, agents. */
  processes(): { readonly pid: number; readonly command: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
          const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
          const ours =
            command.includes(this.folder) ||
            environment.includes(`MAYDAY_BRIEF=${this.folder}`) ||
            environment.includes(`MAYDAY_HOME=${this.folder}`);
          return ours && command !== '' ? [{ pid: Number(name), command }] : [];
        } catch {
          return [];
        }
      });
  }

  keeper(): number | undefined {
    return this.processes().find(({ command }) => command.includes('keeper-process'))?.pid;
  }

  async until<T>(
    what: string,
    look: () => T | undefined | false | Promise<T | undefined | false>,
    limitMs = 150_000,
  ): Promise<T> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const seen = await look();
      if (seen !== undefined && seen !== false) return seen;
      if (performance.now() > deadline)
        throw new Error(`never happened: ${what}; last seen: ${String(seen)}`);
      await pause(50);
    }
  }

  worktree(): string {
    const folder = join(this.home, 'work');
    const [run] = existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.json')) : [];
    return join(folder, run ?? '');
  }

  killAll(): void {
    for (const { pid } of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone by itself.
      }
    }
  }

  async dispose(): Promise<void> {
    this.killAll();
    await this.until('no process of the box lives', () => this.processes().length === 0);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function inBox(
  use: (box: Box) => Promise<void>,
  files?: Readonly<Record<string, string>>,
): Promise<void> {
  const box = new Box(files);
  try {
    await use(box);
  } finally {
    await box.dispose();
  }
}
