/** `LEARN_COMMANDS`: the commands for diagnosis, autopsy, lessons, reports and replays. */
import type { CommandEntry } from '../command.ts';
import { toggle, many, text } from '../option.ts';

// biome-ignore format: the short columns of a row stand together
export const LEARN_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'diagnose', takes: { usage: '[FILE]', min: 0, max: 1 },
    summary: 'say what failed in a captured output (FILE or standard input), why, and whether a person is needed',
    options: [
      text('exit-code', 'N', 'exit code of the command that made the output'),
      text('signal', 'NAME', 'signal that ended it'),
      text('command', 'TEXT', 'the command itself'),
      text('retry-count', 'N', 'how often it was already tried'),
      text('feature', 'ID', 'the feature that was worked on; repeated in the answer'),
      text('issue', 'N', 'the number of its issue; repeated in the answer'),
      text('failure-type', 'CLASS', 'what the caller took it for; `error` stands for runtime_error'),
      text('workspace', 'DIR', 'where the named files and packages are looked up, read-only (default: the repository around; `none`)'),
      text('opinion', 'NAME|command:LINE|none', 'who is asked where the rules are not sure (default: as configured)'),
      toggle('recovery', 'print the recovery document as JSON: its six keys and nothing else'),
      text('github', 'RUN', 'read the logs of this workflow run of GitHub: its number, or the address of its page'),
      toggle('jsonl', 'one object per input line in, one result per line out'),
    ],
    load: () => import('./diagnose.ts'),
  },
  {
    name: 'autopsy', takes: { usage: '[PATH...]', min: 0, max: 1000 },
    summary: 'read agent sessions that Mayday did not supervise: where they got stuck, what repeated, what it cost',
    options: [
      toggle('jsonl', 'one run per input line in, one verdict per line out'),
      text('html', 'FILE', 'write the story as a page'),
      toggle('import', 'bring the sessions into the metrics'),
      text(
        'opinion',
        'NAME|command:LINE|none',
        'who is asked why it went as it did (default: `opinion:` in mayday.yaml; with --jsonl nobody)',
      ),
    ],
    load: () => import('./autopsy.ts'),
  },
  {
    name: 'context', takes: { usage: 'ls | search WORDS | add | approve ID | reject ID | show ID | why RUN', min: 0, max: 50 },
    summary: 'the lessons of this repository: what they say, who approved them, whether they help',
    options: [
      text('title', 'TEXT', 'add: what it is about, in a line'),
      text('guidance', 'TEXT', 'add: what to do'),
      many('class', 'CLASS', 'add: a failure class it is about'),
      many('fingerprint', 'FINGERPRINT', 'add: a cause it is about, exactly'),
      many('paths', 'GLOB', 'add: paths it is about'),
      many('agent', 'NAME', 'add: only for this agent'),
      many('words', 'TEXT', 'add: words of tasks it is about'),
      many('command', 'CMD', 'add: a tool or the beginning of a command line it is about, e.g. "npm test"'),
      text('expires', 'YYYY-MM-DD', 'add: last day it is shown'),
      text('note', 'TEXT', 'approve, reject: why'),
    ],
    load: () => import('./context.ts'),
  },
  {
    name: 'report',
    summary: 'first try, recovery, time to unblock, root causes, what was learned, what being stuck cost',
    options: [
      text('since', '30d', 'how far back'),
      text('format', 'text|md|json|html|csv', 'csv has one line per run'),
      text('out', 'FILE', 'write it there'),
      text('repository', 'PATH', 'only this repository'),
      toggle('compare', 'beside the period of the same length before'),
      toggle('definitions', 'what each number means'),
      text('false-positive', 'INCIDENT', 'say that this incident was none; the report counts it'),
      text('note', 'TEXT', 'why'),
    ],
    onlyPerson: ({ options }) => (options['false-positive'] === undefined ? null : 'report --false-positive'),
    load: () => import('./report.ts'),
  },
  {
    name: 'sync',
    summary: 'daily flow sync: what needs you today, missions that lack enrichment, context updates to review',
    options: [text('format', 'text|md', 'how it is written')],
    load: () => import('./sync.ts'),
  },
  {
    name: 'replay', takes: { usage: '[RUN | PATH...] --policy FILE', min: 0, max: 1000 },
    summary:
      'what another policy would have noticed and decided in past runs (all that ended, if none is named), ' +
      'and what its false alarms would have cost',
    options: [text('policy', 'FILE', 'limits and classes to try, as in mayday.yaml')],
    load: () => import('./replay.ts'),
  },
];
