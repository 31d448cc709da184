/** `Box`, `runBare`: a real agent CLI, started as its adapter plans it, with no supervisor: what it does on its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permissions, Verdict } from '../src/agents/adapter.ts';
import type { TranscriptEntry } from '../src/core/vocabulary/transcript.ts';
import type { AgentCli } from './agent-cli.ts';
import { boxProcesses, killBox } from './box-processes.ts';
import { eventually } from './eventually.ts';

/** A home, a configuration and a repository of its own, so that nothing of the person's is touched. */
/** A CLI that tells its calls at their beginning does so within a second. */
const TELLS_WITHIN_MS = 10_000;

export class Box {
  readonly root = mkdtempSync(join(tmpdir(), 'mayday-agents-'));
  readonly repo = join(this.root, 'repo');
  readonly env: Readonly<Record<string, string>>;

  readonly cli: AgentCli;

  constructor(cli: AgentCli, serverUrl: string) {
    this.cli = cli;
    mkdirSync(this.repo);
    mkdirSync(join(this.root, 'attempt'));
    this.env = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: this.root,
      ...cli.environment(this.root, serverUrl),
    };
    cli.prepare?.(this.root, serverUrl);
  }

  /** Processes of this box that still live. */
  get alive(): readonly number[] {
    return boxProcesses(this.root).map(({ pid }) => pid);
  }

  /** The CLI writes its session a moment after it starts a tool; killed before that, it has no history to go on with. */
  async sessionTells(words: string): Promise<void> {
    await eventually(`the session tells of ${words}`, () => this.#isIn(this.cli.sessions, words));
  }

  /** A CLI may tell its session first, and what Mayday has not heard it cannot tell the next attempt. Some CLIs tell a call at its end. */
  async maydayTells(words: string): Promise<void> {
    const isTold = () => this.#isIn('mayday/runs/*/transcript/1.jsonl', words);
    await eventually(`Mayday tells of ${words}`, isTold, TELLS_WITHIN_MS).catch(() => undefined);
  }

  #isIn(pattern: string, words: string): boolean {
    return globSync(pattern, { cwd: this.root }).some((file) =>
      readFileSync(join(this.root, file)).includes(words),
    );
  }

  remove(): void {
    killBox(this.root);
    rmSync(this.root, { recursive: true, force: true });
  }
}

export interface BareStart {
  readonly command: string;
  readonly mode?: 'fresh' | 'resume';
  readonly agentSession?: string;
  readonly brief: string;
  readonly permissions?: Partial<Permissions>;
  readonly env?: Readonly<Record<string, string>>;
  /** As a person would start it: without the environment that the adapter sets. */
  readonly plain?: boolean;
  readonly timeoutMs?: number;
}

export interface BareRun {
  /** As the CLI told it, or as we gave it. */
  readonly agentSession: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly seconds: number;
  readonly timedOut: boolean;
  readonly entries: readonly TranscriptEntry[];
  readonly unknown: readonly string[];
  readonly verdict: Verdict;
}

/** No bare run is waited for longer; those that would go on for minutes are cut here and say so. */
const TIMEOUT_MS = 30_000;

/** `during` gets the process once it runs, to hurt it. */
export async function runBare(
  box: Box,
  start: BareStart,
  during?: (child: ChildProcess) => Promise<void>,
): Promise<BareRun> {
  const { adapter } = box.cli;
  const given = start.agentSession ?? (adapter.capabilities.sessionIdUpFront ? randomUUID() : null);
  const briefPath = join(box.root, 'brief.md');
  writeFileSync(briefPath, start.brief);
  const plan = adapter.launch({
    mode: start.mode ?? 'fresh',
    agentSession: given,
    brief: { path: briefPath, text: start.brief },
    workspace: box.repo,
    attemptDir: join(box.root, 'attempt'),
    permissions: { checks: [], allowedTools: [], skipAll: false, ...start.permissions },
    noteFiles: [],
    model: null,
    maxTurns: null,
    command: [start.command],
    version: null,
    env: { ...box.env, ...start.env },
  });
  for (const file of plan.files) writeFileSync(file.path, file.content);
  const begun = performance.now();
  const stdin = openSync(briefPath, 'r');
  const [program, ...args] = plan.argv as [string, ...string[]];
  const child = spawn(program, args, {
    cwd: box.repo,
    env: { ...box.env, ...(start.plain === true ? {} : plan.env), ...start.env },
    stdio: [stdin, 'pipe', 'pipe'],
  });
  closeSync(stdin);
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data: Buffer) => (output.stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (output.stderr += data.toString()));
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
  }, start.timeoutMs ?? TIMEOUT_MS);
  const ended = new Promise<readonly [number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve([code, signal]));
  });
  await during?.(child);
  const [exitCode, signal] = await ended;
  clearTimeout(timer);
  child.stdout?.destroy();
  child.stderr?.destroy();
  const hooks = plan.hookFiles.filter(existsSync).flatMap((path) => readFileSync(path, 'utf8').split('\n'));
  const reader = adapter.reader();
  const entries = [
    ...hooks.flatMap((line) => reader.push(line, 'hook', Date.now())),
    ...output.stdout.split('\n').flatMap((line) => reader.push(line, 'stdout', Date.now())),
  ];
  const told = entries.find((entry) => entry.type === 'session');
  return {
    agentSession: given ?? (told?.type === 'session' ? told.sessionId : ''),
    exitCode,
    signal,
    seconds: (performance.now() - begun) / 1000,
    timedOut,
    entries,
    unknown: entries.flatMap((entry) => (entry.type === 'unknown' ? [entry.raw] : [])),
    verdict: adapter.verdict({
      exitCode,
      signal,
      entries,
      stderrTail: output.stderr.slice(-4_000),
      nowMs: Date.now(),
      timeZone: 'UTC',
    }),
  };
}
