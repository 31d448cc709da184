/** `RUN_COMMANDS`: the commands that start, stop and continue runs. */
import type { CommandEntry, OptionSpec } from '../command.ts';
import { toggle, many, text } from '../option.ts';

// biome-ignore format: the short columns of a row stand together
const RUN_OPTIONS: readonly OptionSpec[] = [
  text('agent', 'NAME', 'claude, codex, gemini, opencode, acp:COMMAND, rehearsal, or one from mayday.yaml'),
  text('name', 'NAME', 'name of the run, in place of four drawn letters'),
  text('task-file', 'FILE', 'read the task from a file'),
  many('check', 'COMMAND', 'command that proves the work; Mayday runs it itself'),
  many('scope', 'GLOB', 'what may change'),
  text('setup', 'COMMAND|none', 'what makes a fresh workspace usable, in place of the configured or suggested one'),
  text('expect', '20m', 'expected duration; twice that warns'),
  text('size', 'simple|complex', 'how large the task is'),
  text('budget-usd', 'N', 'hard limit in dollars; none lifts the configured one'),
  text('budget-tokens', 'N', 'hard limit in tokens'),
  text('budget-time', '4h', 'hard limit of working time over all attempts'),
  text('max-turns', 'N', 'hard limit of agent turns'),
  text('timeout', '2h', 'time limit of one attempt'),
  text('sink', 'SINK', 'branch:NAME (default mayday/RUN), none, dir:PATH, patch:FILE, merge:BRANCH, pr'),
  toggle('explore', 'let the agent look first and propose scope and checks'),
  toggle('include-dirty', 'start from the uncommitted changes too'),
  text('max-wait', '10m', 'let the foreground go after waiting that long'),
  text('script', 'FILE', 'script of the rehearsal agent'),
  toggle('in-place', 'work in this folder instead of a worktree'),
  text('as-user', 'NAME', 'when you are root: the user that agent and checks are'),
  many('env', 'NAME[=VALUE]', 'variable that the agent sees; a value is kept secret and erased when the run ends'),
  many('env-file', 'FILE', 'variables for the agent, one NAME=VALUE or NAME in a line'),
  many('fallback', 'AGENT', 'agent that takes over when the first does not get on'),
  text('opinion', 'NAME|command:LINE|none', 'who is asked for opinions, in place of the agent’s own CLI or the configured one'),
  text('auto-resume', 'yes|no', 'resume by itself after limits and outages (yes)'),
  toggle('trust', 'trust the commands in this mayday.yaml and the set-up that the repository suggests'),
  toggle('detach', 'start and return at once'),
];

const MANY = 1_000;

// biome-ignore format: the short columns of a row stand together
export const RUN_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run', takes: { usage: '[task] [-- command...]', min: 0, max: MANY, command: true },
    summary: 'run one task under supervision until delivered, waiting for a person, or abandoned',
    options: RUN_OPTIONS,
    load: () => import('./run.ts'),
  },
  {
    name: 'submit', takes: { usage: '[task] [-- command...]', min: 0, max: MANY, command: true },
    summary: 'queue a task for mayday work; options as of run',
    options: [
      ...RUN_OPTIONS.filter(({ name }) => !['max-wait', 'detach'].includes(name)),
      text('labels', 'A,B', 'only hosts of the fleet that offer these take it'),
      text('priority', 'N', 'higher ones are taken first (0)'),
    ],
    load: async () => ({ run: (await import('./run.ts')).submit }),
  },
  {
    name: 'work',
    summary: 'keep many runs on this host, in one process',
    options: [
      text('concurrency', 'N', 'how many runs at once (4)'),
      text('labels', 'A,B', 'what this host offers to runs that ask for it, in a fleet'),
      text('per-account', 'N', 'at most so many runs with the same credential and agent at once, over the whole fleet'),
      text('per-repository', 'N', 'at most so many runs of one repository at once, over the whole fleet'),
      toggle('until-idle', 'end when nothing is left to do'),
    ],
    load: () => import('./work.ts'),
  },
  {
    name: 'stop', aliases: ['kill'], ends: true, takes: { usage: 'RUN...', min: 1, max: MANY },
    summary: 'checkpoint and stop runs',
    options: [text('reason', 'TEXT', 'why')],
    load: () => import('./stop.ts'),
  },
  {
    name: 'resume', takes: { usage: 'RUN...', min: 1, max: MANY },
    summary: 'go on from the checkpoint; several runs go on without this view',
    options: [
      text('note', 'TEXT', 'advice for the agent'),
      toggle('agent-gone', 'you know that its agent, which cannot be seen from here, runs no more'),
      toggle('detach', 'return at once'),
    ],
    load: () => import('./resume.ts'),
  },
  {
    name: 'abandon', ends: true, takes: { usage: 'RUN...', min: 0, max: MANY },
    summary: 'end runs for good; their work is kept in a checkpoint and on a branch mayday/RUN-wip',
    options: [text('reason', 'TEXT', 'why'), toggle('all', 'every run that has not ended')],
    load: () => import('./abandon.ts'),
  },
  {
    name: 'rm', ends: true, takes: { usage: 'RUN...', min: 0, max: MANY },
    summary: 'take ended runs from the lists and give their disk back; story, evidence and checkpoints stay',
    options: [
      toggle('all', 'every run that has ended'),
      toggle('discard-worktree', 'also a worktree that is the only delivery (--sink none)'),
    ],
    load: () => import('./rm.ts'),
  },
  {
    name: 'checkpoint', takes: { usage: 'RUN', min: 1, max: 1 },
    summary: 'save the work now',
    load: () => import('./checkpoint.ts'),
  },
  {
    name: 'restore', ends: true, takes: { usage: 'RUN[@N]', min: 1, max: 1 },
    summary: 'bring a checkpoint back; what is there now is saved first',
    load: () => import('./restore.ts'),
  },
];
