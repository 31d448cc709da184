/**
 * `autopsyBrief`: the text that the next agent reads before it goes on: the task, what was reached, what not to repeat, where to start.
 */
import { marksTold, quoteFenced } from '../../text/quote-fenced.ts';
import { changes } from '../detectors/staleness.ts';
import type { Turn } from '../turn.ts';

export interface BriefFacts {
  readonly task: string;
  readonly turns: readonly Turn[];
  readonly firstStuckStep: number | null;
  readonly rootCause: string | null;
  /** What to do first, by what repeated; null if nothing tells. */
  readonly startHere: string | null;
  /** The mark around text that programs and agents wrote. */
  readonly mark: string;
}

const TASK_CHARS = 4_000;
const LISTED = 5;

export function autopsyBrief(facts: BriefFacts): string {
  const { task, turns, firstStuckStep, rootCause, startHere, mark } = facts;
  const wasted = firstStuckStep === null ? [] : turns.filter((turn) => turn.callStep >= firstStuckStep);
  const sections = [
    section('Task', task.slice(0, TASK_CHARS)),
    marksTold(mark),
    section('Where the work stands', [
      changesTold(facts),
      'Look at the tree (`git status`, `git diff`) before anything else; it is the only record that counts.',
    ]),
    section('What stopped the last attempt', rootCause === null ? [] : [quoteFenced(rootCause, mark)]),
    section(
      'Do not repeat',
      repeated(wasted).map(({ turn, count }) => doNot(turn, count, mark)),
    ),
    section('Start here', [
      ...(startHere === null ? [] : [startHere]),
      'Say in one sentence why the calls above cannot succeed as they are, then take a different way.',
      'If the cause is outside this repository or not yours to change, say so and stop.',
    ]),
  ];
  return sections.filter((text) => text !== '').join('\n');
}

/** A name without a dot or a slash may be anything that stood in a command. */
const PATH = /^[\w@~+ -]*[./][\w@~+ ./-]*$/;

/** The record tells what was changed, never that nothing was: a command may write without saying so. */
function changesTold({ turns, mark }: BriefFacts): string {
  const names = turns
    .filter(changes)
    .map(({ edit, input }) => (PATH.test(edit?.path ?? '') ? (edit?.path ?? '') : input));
  const changed = [...new Set(names)].slice(-LISTED);
  if (changed.length === 0) return 'The record shows no change of a file.';
  return `Changed so far: ${changed.map((name) => quoteFenced(name, mark)).join(', ')}.`;
}

export interface Repeated {
  readonly turn: Turn;
  readonly count: number;
}

/** The calls that were repeated without success, the most frequent first. */
export function repeated(turns: readonly Turn[]): readonly Repeated[] {
  const groups = new Map<string, Repeated>();
  for (const turn of turns) {
    if (turn.kind === 'plan' || turn.waiting !== null) continue;
    const key = turn.error === 0 ? `call ${turn.callLoose}` : `error ${turn.error} ${turn.tool}`;
    const known = groups.get(key);
    groups.set(key, { turn: known?.turn ?? turn, count: (known?.count ?? 0) + 1 });
  }
  return [...groups.values()]
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.count - a.count)
    .slice(0, LISTED);
}

function doNot(turn: Turn, count: number, mark: string): string {
  const failed = turn.errorLine === '' ? '' : `, always: ${quoteFenced(turn.errorLine, mark)}`;
  return `${quoteFenced(turn.input, mark)} (${count} times${failed})`;
}

function section(title: string, body: string | readonly string[]): string {
  const text = typeof body === 'string' ? body.trim() : body.map((line) => `- ${line}`).join('\n');
  return text === '' ? '' : `## ${title}\n\n${text}\n`;
}
