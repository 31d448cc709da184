/** `DECIDE_COMMANDS`: the commands for questions and holds that wait for a person. */
import type { CommandEntry } from '../command.ts';
import { toggle, many, text } from '../option.ts';

// biome-ignore format: the short columns of a row stand together
export const DECIDE_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'inbox', takes: { usage: '[RUN]', min: 0, max: 1 },
    summary: 'what waits for you',
    load: () => import('./inbox.ts'),
  },
  {
    name: 'answer', takes: { usage: 'QUESTION [OPTION or WORDS]', min: 1, max: 2 },
    summary: 'decide; the run goes on. Without an option: choose at the terminal',
    options: [
      text('note', 'TEXT', 'your words, for the agent and the record'),
      toggle('follow', 'stay and watch'),
    ],
    load: () => import('./answer.ts'),
  },
  {
    name: 'holds', takes: { usage: '[release ID]', min: 0, max: 2 },
    summary: 'what keeps runs from starting, which run owns it and when it ends; release: end it by your word',
    options: [text('note', 'TEXT', 'release: your words, for the record')],
    load: () => import('./holds.ts'),
  },
  {
    name: 'release', takes: { usage: 'ID', min: 1, max: 1 },
    summary: 'end a hold by your word (recorded); the same as holds release',
    options: [text('note', 'TEXT', 'your words, for the record')],
    load: async () => ({ run: (await import('./holds.ts')).releaseById }),
  },
  {
    name: 'flag', takes: { usage: 'RUN --reason TEXT', min: 1, max: 1 },
    summary: 'raise the blocker flag: the run pauses and asks',
    options: [text('reason', 'TEXT', 'what is wrong')],
    load: () => import('./flag.ts'),
  },
  {
    name: 'rescue', takes: { usage: 'RUN', min: 1, max: 1 },
    summary: 'rescue mission: diagnose by the checklist, inject, resume; guided at a terminal',
    options: [
      text('category', 'NAME', 'missing_context, ambiguous_spec, constraint_conflict, capability_gap, environment'),
      text('root-cause', 'TEXT', 'the cause in one sentence'),
      text('inject', 'TEXT', 'what the agent should know and do now, word for word'),
      text('note', 'TEXT', 'more of it'),
      many('file', 'PATH', 'a file for the agent: copied into its workspace and named in its brief'),
      many('spec', 'PATH', 'a specification or rule of the project that you changed: copied and named like a file'),
      text('owner', 'NAME', 'who leads the mission'),
    ],
    load: () => import('./rescue.ts'),
  },
  {
    name: 'accept', takes: { usage: 'RUN', min: 1, max: 1 },
    summary: 'deliver the work by your word, recorded',
    options: [text('note', 'TEXT', 'why')],
    load: () => import('./accept.ts'),
  },
];
