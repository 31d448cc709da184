/** `PeerCell`, `playPeerCell`: one contestant with one trouble: a fresh home, repository and model server; measured from outside. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { RunJson } from '../../src/core/view/run-json.ts';
import { ModelServer, type RecordedRequest } from '../../tools/model-server/model-server.ts';
import type { AgentCli } from '../../test-agents/agent-cli.ts';
import { Box } from '../../test-agents/bare-cli.ts';
import { boxProcesses } from '../../test-agents/box-processes.ts';
import { eventually } from '../../test-agents/eventually.ts';
import { MAYDAY } from '../../test-agents/mayday-cli.ts';
import type { Contestant, PeerAgent } from './contestants.ts';
import { answerAsPerson, deliveredRef, noticedByMayday } from './mayday-contestant.ts';
import {
  CHECK,
  EARLY_FILE,
  FACTOR,
  SILENCE_MS,
  SLOW_PROCESS,
  scriptOf,
  TASK,
  TOOL_SILENCE_MS,
  type Trouble,
} from './troubles.ts';

/** What was asked to end gets this long; then it counts as left behind. */
const GRACE_MS = 5_000;
/** Rough, and the same for all: a token of a request is about four bytes. */
const BYTES_PER_TOKEN = 4;

export const PeerCell = z.object({
  contestant: z.string(),
  trouble: z.string(),
  /** The agent CLI and its version. */
  agent: z.string(),
  /** Which repetition, counted from 1. */
  time: z.number(),
  at: z.string(),
  seed: z.number(),
  /** Of the last minute, when the cell began. */
  load: z.number(),
  cores: z.number(),
  factor: z.number(),
  limit_s: z.number(),
  ended: z.string(),
  said: z.enum(['success', 'failure', 'question', 'nothing']),
  seconds: z.number(),
  /** From the trouble to the first act against it that is seen from outside; null: none. */
  acted_s: z.number().nullable(),
  /** The same, or sooner where the contestant keeps a journal that tells it. */
  noticed_s: z.number().nullable(),
  noticed_requests: z.number().nullable(),
  /** Null: nothing was started again. */
  resumed_with_history: z.boolean().nullable(),
  delivered: z.boolean(),
  lost_files: z.number(),
  /** Null where something was wrong. */
  false_stops: z.number().nullable(),
  requests: z.number(),
  tokens: z.number(),
  processes_left: z.number(),
});
export type PeerCell = Readonly<z.infer<typeof PeerCell>>;

export interface Stage {
  readonly cli: AgentCli;
  /** Folders with the programs of the agent and of the contestant. */
  readonly programs: readonly string[];
  readonly limitMs: number;
  readonly time: number;
  readonly seed: number;
}

/** The cell, and all that the contestant wrote, for people who doubt it. */
export async function playPeerCell(
  contestant: Contestant,
  trouble: Trouble,
  stage: Stage,
): Promise<{ readonly cell: PeerCell; readonly output: string }> {
  const server = await ModelServer.start(scriptOf(trouble, stage.cli, contestant.closing));
  const box = new Box(stage.cli, server.url);
  try {
    const env = await prepare(box, trouble, stage, contestant);
    const load = loadavg()[0] ?? 0;
    const at = new Date();
    const commandLine = contestant.commandLine[stage.cli.adapter.name as PeerAgent];
    const firstAt = (): number => server.requests[0]?.at ?? Date.now();
    const world = { box, env, limitMs: stage.limitMs, commandLine, firstAt };
    const run = await runContestant(contestant, trouble, world);
    await aside(contestant.closeDown ?? 'true', box, env);
    const left = await leftBehind(box);
    const ref = contestant.isMayday === true ? deliveredRef(run.document) : null;
    const holds = (command: string): boolean =>
      spawnSync('sh', ['-c', command], { cwd: box.repo, env, stdio: 'ignore' }).status === 0;
    // Mayday delivers a branch; what it has not delivered lies in its worktree. All others work in the repository itself.
    const place = contestant.isMayday === true ? run.document?.workspace?.path : box.repo;
    const delivered =
      contestant.isMayday === true
        ? ref !== null && holds(`git grep -q hello ${ref} -- out.txt`)
        : holds(CHECK);
    const kept =
      (ref !== null && holds(`git cat-file -e ${ref}:${EARLY_FILE}`)) ||
      (ref === null && place !== undefined && holds(`test -f '${place}/${EARLY_FILE}'`));
    const cell: PeerCell = {
      contestant: contestant.name,
      trouble: trouble.name,
      agent: `${stage.cli.title} ${stage.cli.version}`,
      time: stage.time,
      at: at.toISOString(),
      seed: stage.seed,
      load: rounded(load),
      cores: availableParallelism(),
      factor: FACTOR,
      limit_s: stage.limitMs / 1000,
      ended: run.ended,
      said: run.said,
      seconds: rounded(run.seconds),
      ...reaction(trouble, server.requests, run),
      delivered,
      lost_files: kept ? 0 : 1,
      requests: server.requests.length,
      tokens: Math.round(server.requests.reduce((sum, { bytes }) => sum + bytes, 0) / BYTES_PER_TOKEN),
      processes_left: left,
    };
    return { cell, output: run.output };
  } finally {
    box.remove();
    await server.close();
  }
}

async function prepare(
  box: Box,
  trouble: Trouble,
  { cli, programs, limitMs }: Stage,
  { setUp }: Contestant,
): Promise<Record<string, string>> {
  const bin = join(box.root, 'bin');
  const home = join(box.root, 'mayday');
  for (const folder of [bin, home]) mkdirSync(folder);
  writeFileSync(join(bin, 'mayday'), `#!/bin/sh\nexec "${process.execPath}" "${MAYDAY}" "$@"\n`);
  chmodSync(join(bin, 'mayday'), 0o755);
  writeFileSync(join(box.root, '.gitconfig'), '[user]\n  name = bench\n  email = bench@localhost\n');
  const limits = { silence_ms: SILENCE_MS, tool_silence_ms: TOOL_SILENCE_MS };
  const policy = Object.entries(limits).map(([key, value]) => `  ${key}: ${value}\n`);
  const permissions = JSON.stringify(cli.permissions ?? []);
  writeFileSync(join(home, 'mayday.yaml'), `policy:\n${policy.join('')}permissions: ${permissions}\n`);
  const env = {
    ...box.env,
    ...trouble.env?.(cli),
    PATH: [bin, ...programs, box.env['PATH']].join(delimiter),
    MAYDAY_HOME: home,
    // Claude Code refuses to skip permissions as root outside of a sandbox.
    IS_SANDBOX: '1',
    TASK,
    CHECK,
    SILENCE_MS: String(SILENCE_MS),
    DRIVERS: import.meta.dirname,
    MAX_WAIT: `${Math.ceil(limitMs / 1000)}s`,
  };
  const init = 'git init -q -b main && git commit -q --allow-empty -m base';
  for (const line of [init, setUp?.[cli.adapter.name as PeerAgent] ?? 'true']) await aside(line, box, env);
  return env;
}

/** Not in step with this process, which serves the model of other cells. */
async function aside(line: string, box: Box, env: Record<string, string>): Promise<void> {
  const child = spawn('sh', ['-c', line], { cwd: box.repo, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (data: Buffer) => (told += data.toString()));
  const code = await new Promise((done) => child.once('exit', done));
  child.stderr.destroy();
  if (code !== 0) throw new Error(`beside a cell: ${line}: ${told}`);
}

interface ContestantRun {
  readonly ended: string;
  readonly said: PeerCell['said'];
  /** When it told a person that not all is well: an end that is not a success, or a question. */
  readonly toldAt: number | null;
  /** By its own journal. */
  readonly noticedAt: number | null;
  readonly hurtAt: number | null;
  readonly seconds: number;
  readonly output: string;
  readonly document: RunJson | null;
}

interface World {
  readonly box: Box;
  readonly env: Record<string, string>;
  readonly limitMs: number;
  readonly commandLine: string;
  /** When the model was first asked: the times of a script count from there. */
  readonly firstAt: () => number;
}

async function runContestant(
  { isMayday }: Contestant,
  trouble: Trouble,
  { box, env, limitMs, commandLine, firstAt }: World,
): Promise<ContestantRun> {
  const begun = performance.now();
  const until = AbortSignal.timeout(limitMs);
  const child = spawn('sh', ['-c', commandLine], {
    cwd: box.repo,
    env,
    // A group of its own: at the limit all of it is asked to end, as when a person closes the terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', all: '' };
  child.stdout.on('data', (data: Buffer) => {
    output.stdout += data.toString();
    output.all += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => (output.all += data.toString()));
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    process.kill(-(child.pid as number), 'SIGTERM');
  };
  until.addEventListener('abort', cut);
  const { signal } = trouble;
  const hurting = signal === undefined ? Promise.resolve(null) : hurt(box, signal, until);
  // Awaited below; until then a failure of it must not end the whole bench.
  hurting.catch(() => undefined);
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('exit', done);
  });
  until.removeEventListener('abort', cut);
  const endedAt = Date.now();
  let document = isMayday === true ? documentIn(output.stdout) : null;
  const asked = document?.questions.find(({ state }) => state === 'open');
  const { person } = trouble;
  if (document !== null && asked !== undefined && person !== undefined) {
    // Nobody says that a login is mended before it is.
    await pause(Math.max(0, firstAt() + (person.afterS ?? 0) * 1000 - Date.now()));
    document = await answerAsPerson({ run: document, question: asked.id, person, cwd: box.repo, env, until });
  }
  const hurtAt = await hurting;
  child.stdout.destroy();
  child.stderr.destroy();
  const said = isCut ? 'nothing' : asked !== undefined ? 'question' : code === 0 ? 'success' : 'failure';
  return {
    ended: isCut ? 'cut off' : `exit ${code}`,
    said,
    toldAt: said === 'failure' || said === 'question' ? endedAt : null,
    noticedAt: document === null ? null : noticedByMayday(document),
    hurtAt,
    seconds: (performance.now() - begun) / 1000,
    output: output.all,
    document,
  };
}

/** When the agent got the signal; null: its tool did not run within the limit. */
async function hurt(
  box: Box,
  signal: NonNullable<Trouble['signal']>,
  until: AbortSignal,
): Promise<number | null> {
  const runs = (): boolean =>
    boxProcesses(box.root).some(({ argv }) => SLOW_PROCESS.every((word, index) => argv[index] === word));
  while (!runs()) {
    if (until.aborted) return null;
    await pause(100);
  }
  await box.sessionTells(box.cli.toldBeforeTool ?? SLOW_PROCESS.join(' '));
  const agent = boxProcesses(box.root).find((one) => box.cli.isAgent(one));
  if (agent === undefined) throw new Error('the agent process was not found');
  process.kill(agent.pid, signal);
  return Date.now();
}

type Reaction = Pick<
  PeerCell,
  'acted_s' | 'noticed_s' | 'noticed_requests' | 'resumed_with_history' | 'false_stops'
>;

function reaction(trouble: Trouble, requests: readonly RecordedRequest[], run: ContestantRun): Reaction {
  const again = requests.filter(({ rule }) => rule === 'resumed' || rule === 'afresh');
  const resumed_with_history = again.length === 0 ? null : again[0]?.rule === 'resumed';
  if (trouble.isHonest) {
    const doneAt = requests.find(({ rule }) => rule === 'done')?.at ?? Infinity;
    const restarts = again.filter(({ at }) => at < doneAt).length;
    const false_stops = restarts + (run.toldAt === null ? 0 : 1);
    return { acted_s: null, noticed_s: null, noticed_requests: null, resumed_with_history, false_stops };
  }
  const troubled = requests.filter(({ rule }) => rule === 'trouble');
  const beganAt = run.hurtAt ?? troubled[0]?.at ?? null;
  const actedAt = first([again[0]?.at, run.toldAt]);
  const noticedAt = first([actedAt, run.noticedAt]);
  const since = (at: number | null): number | null =>
    at === null || beganAt === null ? null : rounded((at - beganAt) / 1000);
  return {
    acted_s: since(actedAt),
    noticed_s: since(noticedAt),
    noticed_requests: noticedAt === null ? null : troubled.filter(({ at }) => at <= noticedAt).length,
    resumed_with_history,
    false_stops: null,
  };
}

function first(moments: readonly (number | null | undefined)[]): number | null {
  const known = moments.filter((at) => at !== null && at !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}

async function leftBehind(box: Box): Promise<number> {
  await eventually('all processes end', () => box.alive.length === 0, GRACE_MS).catch(() => undefined);
  return box.alive.length;
}

function documentIn(stdout: string): RunJson | null {
  try {
    return JSON.parse(stdout) as RunJson;
  } catch {
    // Cut off before it was printed.
    return null;
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
