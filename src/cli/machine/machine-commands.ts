/** `MACHINE_COMMANDS`: the commands about this machine: its health, its drills, its record. */
import type { CommandSpec } from '../command.ts';
import { many, text, toggle } from '../option.ts';

export const MACHINE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'verify',
    usage: '',
    summary: 'check journal, evidence and checkpoints; exit 0 only if all hold',
    group: 'machine',
    positionals: [0, 0],
    options: [
      text('rerun', 'RUN', 'also run the checks of this run again on its delivered commit, in a clean clone'),
    ],
    load: () => import('./verify.ts'),
  },
  {
    name: 'store',
    usage: 'copy|migrate',
    summary:
      'copy this record into the store that MAYDAY_STORE names; bring the tables of the store up to date',
    group: 'machine',
    positionals: [1, 1],
    options: [],
    onlyPerson: ({ args: [action] }) => `store ${action}`,
    load: () => import('./store.ts'),
  },
  {
    name: 'hosts',
    usage: '[work|drain|maintenance HOST]',
    summary:
      'the hosts that share the store; let one work, finish what it has, or give its runs to the others',
    group: 'machine',
    positionals: [0, 2],
    options: [],
    onlyPerson: ({ args }) => (args.length > 0 ? 'hosts' : null),
    load: () => import('./hosts.ts'),
  },
  {
    name: 'sweep',
    ends: true,
    usage: '',
    summary: 'reclaim what ended runs left behind, safely',
    group: 'machine',
    positionals: [0, 0],
    options: [],
    onlyPerson: () => 'sweep',
    load: () => import('./sweep.ts'),
  },
  {
    name: 'doctor',
    usage: '',
    summary: 'check this machine and say what is missing',
    group: 'machine',
    positionals: [0, 0],
    options: [toggle('policy', 'every limit, its value and its reason')],
    load: () => import('./doctor.ts'),
  },
  {
    name: 'init',
    usage: '',
    summary: 'write a starter configuration from what this project shows',
    group: 'machine',
    positionals: [0, 0],
    options: [toggle('yes', 'ask nothing; also: trust an existing mayday.yaml')],
    load: () => import('./init.ts'),
  },
  {
    name: 'serve',
    usage: '',
    summary:
      'the desk: runs and questions live in your browser, answered with one key; only this machine can reach it',
    group: 'machine',
    positionals: [0, 0],
    options: [
      text('port', 'N', 'which port (default 4747); 0: a free one'),
      many('host', 'NAME[:PORT]', 'another name of the desk, for a reverse proxy with TLS in front of it'),
    ],
    load: () => import('./serve.ts'),
  },
  {
    name: 'drill',
    usage: '[NAME or FILE...]',
    summary: 'break things on purpose and prove the rescue on this machine',
    group: 'machine',
    positionals: [0, 1000],
    options: [text('jobs', 'N', 'how many at once')],
    load: () => import('./drill.ts'),
  },
  {
    name: 'bench',
    usage: '',
    summary: 'measure on this machine what supervision costs and how long rescues take',
    group: 'machine',
    positionals: [0, 0],
    options: [],
    load: () => import('./bench.ts'),
  },
  {
    name: 'mcp',
    usage: '',
    summary:
      'MCP server on stdin and stdout: tools for the agent of a run, and tools that only read for your assistant',
    group: 'machine',
    positionals: [0, 0],
    options: [toggle('read-only', 'only the tools that read: list_runs, show_run, diagnose, autopsy')],
    load: () => import('./mcp.ts'),
  },
  {
    name: 'completion',
    usage: 'bash|zsh|fish',
    summary: 'completions for your shell, made from this table',
    group: 'machine',
    positionals: [1, 1],
    options: [],
    load: () => import('./completion.ts'),
  },
];
