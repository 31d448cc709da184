/** `LOOK_COMMANDS`: the commands that show runs, agents and the bus. */
import type { CommandEntry } from '../command.ts';
import { toggle, many, text } from '../option.ts';

// biome-ignore format: the short columns of a row stand together
export const LOOK_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'ps', aliases: ['ls'],
    summary: 'list the runs; the one that needs you comes first',
    options: [
      toggle('all', 'every run, not only the latest 200, also what `rm` took from the list'),
      toggle('here', 'only the runs of this repository'),
      text('state', 'STATE', 'only runs in this state: needs_you, rescuing, preparing, working, waiting, stopped, delivered...'),
      toggle('alerts', 'warnings and critical alerts with what to do'),
    ],
    load: () => import('./ps.ts'),
  },
  {
    name: 'status', takes: { usage: 'RUN', min: 1, max: 1 },
    summary: 'one screen about one run: what it does, what it waits for, its last lines',
    load: () => import('./status.ts'),
  },
  {
    name: 'show', takes: { usage: 'RUN', min: 1, max: 1 },
    summary: 'the whole story of one run',
    options: [toggle('brief', 'with the briefs that the agents got')],
    load: () => import('./show.ts'),
  },
  {
    name: 'logs', takes: { usage: 'RUN', min: 1, max: 1 },
    summary: 'what the agent said and did',
    options: [
      toggle('follow', 'stay and print what comes, until the run ends', 'f'),
      text('tail', 'N', 'only the last N lines'),
      text('attempt', 'N', 'only this attempt'),
      toggle('agent', 'what the agent said and did (default)'),
      toggle('keeper', 'what the keeper of the run took in, decided, did and waits for'),
    ],
    load: () => import('./logs.ts'),
  },
  {
    name: 'watch', takes: { usage: '[RUN]', min: 0, max: 1 },
    summary: 'live view of a run, or of all that live: full-screen at a terminal, answers by a key',
    load: () => import('./watch.ts'),
  },
  {
    name: 'missions', takes: { usage: '[close MISSION]', min: 0, max: 2 },
    summary: 'rescue missions with their records, those that owe enrichment first; close: with what was learned, or why nothing',
    options: [
      many('lesson', 'ID', 'close: the approved lesson that came of it'),
      many('spec', 'TEXT', 'close: what changed in a specification or in the rules of the project'),
      text('reason', 'TEXT', 'close: why there was nothing to learn'),
    ],
    load: () => import('./missions.ts'),
  },
  {
    name: 'agents', takes: { usage: '[clear NAME]', min: 0, max: 2 },
    summary: 'agents seen, how they do, and which are flagged for investigation',
    options: [text('note', 'TEXT', 'clear: what you found')],
    onlyPerson: ({ args }) => (args.length > 0 ? 'agents clear' : null),
    load: () => import('./agents.ts'),
  },
  {
    name: 'diff', takes: { usage: 'RUN', min: 1, max: 1 },
    summary: 'the work so far',
    options: [toggle('stat', 'only the names and sizes')],
    load: () => import('./diff.ts'),
  },
  {
    name: 'checkpoints', takes: { usage: 'RUN', min: 1, max: 1 },
    summary: 'what can be restored',
    load: () => import('./checkpoints.ts'),
  },
  {
    name: 'ledger', takes: { usage: 'RUN | erase RUN@SEQ', min: 1, max: 2 },
    summary: 'the evidence of a run, link by link, and what was only claimed',
    options: [
      text('export', 'FILE', 'write everything to a file'),
      text('note', 'TEXT', 'erase: why this payload must go'),
    ],
    onlyPerson: ({ args }) => (args[0] === 'erase' ? 'ledger erase' : null),
    load: () => import('./ledger.ts'),
  },
  {
    name: 'bus', takes: { usage: '[publish]', min: 0, max: 1 },
    summary: 'the agent bus as JSON lines; publish: agents that are not ours report their tasks',
    options: [
      toggle('follow', 'stay and print what comes; also looks after tasks that run past their limit'),
      text('since', 'ID|now', 'only messages after this one'),
      text('type', 'TYPE', 'publish: TASK_UPDATE (default), CRITICAL, STOP_AGENT, AGENT_FLAGGED'),
      text('task', 'ID', 'publish: which task'),
      text('agent', 'ID', 'publish: which agent'),
      text('status', 'STATUS', 'publish: PENDING, RUNNING, COMPLETED, FAILED'),
      text('result', 'RESULT', 'publish: SUCCESS, FAILURE, VALIDATION_ERROR'),
      text('error', 'TEXT', 'publish: what failed, with FAILED'),
      text('reason', 'TEXT', 'publish: why, with the other types'),
      text('deadline-ms', 'N', 'publish: time to stop, with STOP_AGENT; a task that is a run of Mayday is stopped'),
      text('command', 'LINE', 'publish: a shell line that does the task again; a run takes it over when the task FAILED'),
      many('check', 'CMD', 'publish: what proves the work of --command'),
      many('fallback', 'AGENT', 'publish: who takes over when --command fails again'),
      text('started-at', 'TIME', 'publish: when the task began, as ISO 8601'),
      text('completed-at', 'TIME', 'publish: when it ended, as ISO 8601'),
      text('checks-passed', 'N', 'publish: scoring'),
      text('checks-total', 'N', 'publish: scoring'),
      text('attempts', 'N', 'publish: scoring'),
      text('tokens', 'N', 'publish: scoring'),
      text('cost-usd', 'N', 'publish: scoring'),
      text('duration-ms', 'N', 'publish: scoring'),
    ],
    load: () => import('./bus.ts'),
  },
  {
    name: 'attach', takes: { usage: '[SESSION]', min: 0, max: 1 },
    summary: 'watch a running agent that Mayday did not start, from its session file and process; it never kills',
    options: [
      text('interval', 'SECONDS', 'time between two looks (default 2)'),
      toggle('resume', 'go on in the session once a usage limit is over and its process is gone'),
      text('notify', 'COMMAND', 'run for what a person should know now; the notice is JSON on its input'),
    ],
    load: () => import('./attach.ts'),
  },
];
