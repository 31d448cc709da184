/**
 * `stuckPattern`: what repeated most while a run was stuck: one error, one call, or nothing that can be named. The cause and the advice of
 * an autopsy are made from it, because the last failure of a run is often a different one.
 */
import type { Signal } from '../../vocabulary/signal.ts';
import { callText, quote } from '../detector.ts';
import { isFinishing } from '../finishing.ts';
import type { Turn } from '../turn.ts';
import { type Repeated, repeated } from './autopsy-brief.ts';

export interface StuckPattern {
  /** The failing turn whose error came most often, with its count; null if no error came twice. */
  readonly failure: Repeated | null;
  /** The turn that was repeated most, whether it failed or not; null if none was made twice. */
  readonly call: Repeated | null;
  /** The cause where a habit of the agent tells it better than any error; null if none does. */
  readonly cause: string | null;
  /** What to do first, in one sentence; null if nothing that repeated tells. */
  readonly startHere: string | null;
}

export function stuckPattern(turns: readonly Turn[], alarms: readonly Signal[]): StuckPattern {
  const groups = repeated(turns);
  const call = groups[0] ?? null;
  const most = groups.find(({ turn }) => turn.failed);
  // An error that comes less often than a call without one is a part of the round, not its cause.
  const failure = most !== undefined && most.count >= (call?.count ?? 0) ? most : null;
  const [cause, startHere] = habitOf(failure, turns, alarms) ?? [
    failure === null ? roundOf(groups) : null,
    adviceFor(failure, call, turns),
  ];
  return { failure, call, cause, startHere };
}

/** A sentence where a command belongs: it begins like one, goes on without a sign of the shell, and ends. */
const PROSE = /^[A-Z][A-Za-z']*\b[^|;&<>$=`{}]{60,}[.!?]/;
/** From this share of empty answers on, the searching is the trouble. */
const BARREN_SHARE = 0.6;

function habitOf(
  failure: Repeated | null,
  turns: readonly Turn[],
  alarms: readonly Signal[],
): readonly [cause: string, startHere: string] | null {
  const refused = alarms.find(({ type }) => type === 'refused_again');
  if (refused !== undefined) return [refused.reason, REFUSED];
  if (failure !== null && PROSE.test(failure.turn.input))
    return [
      `words were sent where a command belongs, ${failure.count} times: ${quote(failure.turn.errorLine)}`,
      'Send the command alone, without the thought before it.',
    ];
  if (failure !== null) return null;
  const undone = alarms.find(({ type }) => type === 'edit_undo');
  if (undone !== undefined)
    return [
      undone.reason,
      'Neither of the two versions is right. Find out what the check really tells, then make the edit that moves it.',
    ];
  const barren = turns.filter((turn) => turn.barren);
  const last = barren.at(-1);
  if (last === undefined || barren.length < BARREN_SHARE * turns.length) return null;
  return [`${barren.length} searches found nothing, the last one: ${callText(last)}`, BARREN];
}

/** How many calls of a round are named. */
const NAMED = 3;

/** Several calls that were made about as often as each other. */
function roundOf(groups: readonly Repeated[]): string | null {
  const times = groups[0]?.count ?? 0;
  const round = groups.filter(({ count }) => count >= times - 1);
  if (round.length < 2) return null;
  const calls = round.slice(0, NAMED).map(({ turn }) => callText(turn));
  return `the same calls in turn, ${times} times, told nothing new: ${calls.join(' · ')}`;
}

const REFUSED =
  'The work is refused with the same words. Do exactly what they ask for before you say again that it is done.';
const BARREN =
  'The searches find nothing. The name is not in this tree as written: list the tree, and search by a part of it.';

interface AdviceRule {
  readonly says: RegExp;
  readonly advice: string;
}

const MISSING =
  'The program or module is not there. Do not call it again: use what is installed, or say that it has to be installed.';

/** By the error that repeats, the most telling first. */
const BY_ERROR: readonly AdviceRule[] = [
  {
    says: /\bcommand not found|unknown (?:tool|command)|is not recognized as|no module named|cannot find module|JAVA_HOME/i,
    advice: MISSING,
  },
  { says: /\/bin\/[\w.+-]+: no such file/i, advice: MISSING },
  {
    says: /\b(?:not unique|multiple (?:matches|occurrences)|found \d+ matches|more than once)\b/i,
    advice: 'The text to replace is not unique. Add the lines before and after it until it is.',
  },
  {
    says: /\b(?:string to replace|old_?str(?:ing)?|search (?:text|block)|context).{0,40}not found|did not (?:match|appear)|no match for/i,
    advice:
      'The text to replace is not in the file as written. Read those lines again and copy them exactly.',
  },
  {
    says: /\b(?:syntax error|SyntaxError|unexpected (?:token|indent|EOF)|invalid syntax|E\d{3} )/i,
    advice:
      'What is written does not parse. Look at the language of the file and at the lines around, then write the whole block anew.',
  },
  {
    says: /\b(?:no such file|does not exist|not found|cannot find)\b/i,
    advice:
      'It is not where the calls look for it. List the folder, or search the tree by a part of the name, before opening anything.',
  },
  {
    says: /\b(?:timed out|timeout|killed|out of memory)\b/i,
    advice:
      'The command does not end in time. Run a smaller part of it, with a limit of its own, and measure where the time goes.',
  },
  {
    says: /\b(?:permission|denied|not permitted|not allowed|requires approval)\b/i,
    advice: 'It is not allowed. Do without it, or say what you need it for and stop.',
  },
];

function adviceFor(failure: Repeated | null, call: Repeated | null, turns: readonly Turn[]): string | null {
  const known = failure === null ? undefined : BY_ERROR.find(({ says }) => says.test(failure.turn.errorLine));
  if (known !== undefined) return known.advice;
  if (failure !== null && turns.some(({ kind, failed }) => kind === 'edit' && !failed))
    return 'The edits so far did not move this failure. Print the wrong value and test the assumption that the edits share.';
  if (call === null) return null;
  if (isFinishing(call.turn.tool, call.turn.input)) return REFUSED;
  if (call.turn.failed) return null;
  if (call.turn.barren) return BARREN;
  const inputs = new Set(
    turns.filter(({ callLoose }) => callLoose === call.turn.callLoose).map(({ input }) => input),
  );
  if (inputs.size > 2 && (call.turn.kind === 'read' || call.turn.kind === 'other'))
    return 'Do not page through it. Search for the name you need (`grep -n`), then read only those lines.';
  return 'The result of this call is known and will not change. Say what is still missing, and make the call that can tell it.';
}
