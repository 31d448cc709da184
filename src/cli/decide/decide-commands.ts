/** `DECIDE_COMMANDS`: the commands for questions and holds that wait for a person. */
import type { CommandSpec } from '../command.ts';
import { toggle, many, text } from '../option.ts';

export const DECIDE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'inbox',
    usage: '',
    summary: 'what waits for you',
    group: 'decide',
    positionals: [0, 0],
    options: [],
    load: () => import('./inbox.ts'),
  },
  {
    name: 'answer',
    usage: 'QUESTION [OPTION or WORDS]',
    summary: 'decide; the run goes on. Without an option: choose at the terminal',
    group: 'decide',
    positionals: [1, 2],
    options: [
      text('note', 'TEXT', 'your words, for the agent and the record'),
      toggle('follow', 'stay and watch'),
    ],
    load: () => import('./answer.ts'),
  },
  {
    name: 'holds',
    usage: '[release ID]',
    summary:
      'what keeps runs from starting, which run owns it and when it ends; release: end it by your word',
    group: 'decide',
    positionals: [0, 2],
    options: [text('note', 'TEXT', 'release: your words, for the record')],
    load: () => import('./holds.ts'),
  },
  {
    name: 'release',
    usage: 'ID',
    summary: 'end a hold by your word (recorded); the same as holds release',
    group: 'decide',
    positionals: [1, 1],
    options: [text('note', 'TEXT', 'your words, for the record')],
    load: () => import('./release.ts'),
  },
  {
    name: 'flag',
    usage: 'RUN --reason TEXT',
    summary: 'raise the blocker flag: the run pauses and asks',
    group: 'decide',
    positionals: [1, 1],
    options: [text('reason', 'TEXT', 'what is wrong')],
    load: () => import('./flag.ts'),
  },
  {
    name: 'rescue',
    usage: 'RUN',
    summary: 'rescue mission: diagnose by the checklist, inject, resume; guided at a terminal',
    group: 'decide',
    positionals: [1, 1],
    options: [
      text(
        'category',
        'NAME',
        'missing_context, ambiguous_spec, constraint_conflict, capability_gap, environment',
      ),
      text('root-cause', 'TEXT', 'the cause in one sentence'),
      text('inject', 'TEXT', 'what the agent should know and do now, word for word'),
      text('note', 'TEXT', 'more of it'),
      many('file', 'PATH', 'a file for the agent: copied into its workspace and named in its brief'),
      many(
        'spec',
        'PATH',
        'a specification or rule of the project that you changed: copied and named like a file',
      ),
      text('owner', 'NAME', 'who leads the mission'),
    ],
    load: () => import('./rescue.ts'),
  },
  {
    name: 'accept',
    usage: 'RUN',
    summary: 'deliver the work by your word, recorded',
    group: 'decide',
    positionals: [1, 1],
    options: [text('note', 'TEXT', 'why')],
    load: () => import('./accept.ts'),
  },
];
