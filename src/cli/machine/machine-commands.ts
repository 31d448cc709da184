/** `MACHINE_COMMANDS`: the commands about this machine: its health, its drills, its record. */
import type { CommandEntry } from '../command.ts';
import { many, text, toggle } from '../option.ts';

// biome-ignore format: the short columns of a row stand together
export const MACHINE_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'verify',
    summary: 'check journal, evidence and checkpoints; exit 0 only if all hold',
    options: [text('rerun', 'RUN', 'also run the checks of this run again on its delivered commit, in a clean clone')],
    load: () => import('./verify.ts'),
  },
  {
    name: 'store', takes: { usage: 'copy|migrate', min: 1, max: 1 },
    summary: 'copy this record into the store that MAYDAY_STORE names; bring the tables of the store up to date',
    onlyPerson: ({ args: [action] }) => `store ${action}`,
    load: () => import('./store.ts'),
  },
  {
    name: 'hosts', takes: { usage: '[work|drain|maintenance HOST]', min: 0, max: 2 },
    summary: 'the hosts that share the store; let one work, finish what it has, or give its runs to the others',
    onlyPerson: ({ args }) => (args.length > 0 ? 'hosts' : null),
    load: () => import('./hosts.ts'),
  },
  {
    name: 'sweep', ends: true,
    summary: 'reclaim what ended runs left behind, safely',
    onlyPerson: () => 'sweep',
    load: () => import('./sweep.ts'),
  },
  {
    name: 'doctor',
    summary: 'check this machine and say what is missing',
    options: [toggle('policy', 'every limit, its value and its reason')],
    load: () => import('./doctor.ts'),
  },
  {
    name: 'init',
    summary: 'write a starter configuration from what this project shows',
    options: [toggle('yes', 'ask nothing; also: trust an existing mayday.yaml')],
    load: () => import('./init.ts'),
  },
  {
    name: 'serve',
    summary: 'the desk: runs and questions live in your browser, answered with one key; only this machine can reach it',
    options: [
      text('port', 'N', 'which port (default 4747); 0: a free one'),
      many('host', 'NAME[:PORT]', 'another name of the desk, for a reverse proxy with TLS in front of it'),
    ],
    load: () => import('./serve.ts'),
  },
  {
    name: 'drill', takes: { usage: '[NAME or FILE...]', min: 0, max: 1000 },
    summary: 'break things on purpose and prove the rescue on this machine',
    options: [
      toggle('list', 'name the bundled drills and play none'),
      text('jobs', 'N', 'how many at once (4)'),
    ],
    load: () => import('./drill.ts'),
  },
  {
    name: 'bench',
    summary: 'measure on this machine what supervision costs and how long rescues take',
    load: () => import('./bench.ts'),
  },
  {
    name: 'mcp', hasNoDocument: true,
    summary: 'MCP server on stdin and stdout: tools for the agent of a run, and tools that only read for your assistant',
    options: [toggle('read-only', 'only the tools that read: list_runs, show_run, diagnose, autopsy')],
    load: () => import('./mcp.ts'),
  },
  {
    name: 'completion', hasNoDocument: true, takes: { usage: 'bash|zsh|fish', min: 1, max: 1 },
    summary: 'completions for bash, zsh or fish',
    load: () => import('./completion.ts'),
  },
];
