/**
 * `stuckPattern`: what repeated most while a run was stuck: one error, one call, or nothing that can be named. The cause and the advice of
 * an autopsy are made from it, because the last failure of a run is often a different one.
 */
import type { Signal } from '../../vocabulary/signal.ts';
import { oneOf } from '../../text/one-of.ts';
import { callText, quote } from '../detector.ts';
import { changes } from '../detectors/staleness.ts';
import { isFinishing } from '../finishing.ts';
import { lineNotYet } from '../result-text.ts';
import type { AgentTurn } from '../agent-turn.ts';
import { editsFile, type Repeated } from './repeated-turns.ts';
import type { StuckStretch } from './stuck-stretch.ts';

export interface StuckPattern {
  /** The failing turns that came most often; null if none came twice, or if they are only a part of a round. */
  readonly failure: Repeated | null;
  /** The turns that were repeated most, whether they failed or not; null if none was made twice. */
  readonly call: Repeated | null;
  /** The cause where a habit of the agent tells it better than any error; null if none does. */
  readonly cause: string | null;
  /** What to do first, in one sentence, by the habit or by the error; null if neither tells. */
  readonly startHere: string | null;
  /** What to do first where nothing is known but that it repeats. */
  readonly otherwise: string | null;
}

/** `answerOf`: what a call was answered. */
export function stuckPattern(
  { groups, turns }: StuckStretch,
  alarms: readonly Signal[],
  answerOf: (turn: AgentTurn) => string,
): StuckPattern {
  const call = groups[0] ?? null;
  const failure = call?.turn.failed === true ? call : null;
  const [cause, startHere] = habitOf(call, turns, alarms, answerOf) ?? [
    failure === null ? roundOf(groups) : null,
    failure === null ? null : adviceFor(failure),
  ];
  return { failure, call, cause, startHere, otherwise: adviceForRepeating(call, turns) };
}

/** A sentence where a command belongs: it begins like one, goes on without a sign of the shell, and ends. */
const PROSE = /^[A-Z][A-Za-z']*\b[^|;&<>$=`{}]{60,}[.!?]/;
/** From this share of empty answers on, the searching is the trouble. */
const BARREN_SHARE = 0.6;

function habitOf(
  call: Repeated | null,
  turns: readonly AgentTurn[],
  alarms: readonly Signal[],
  answerOf: (turn: AgentTurn) => string,
): readonly [cause: string, startHere: string] | null {
  const refused = alarms.find(({ type }) => type === 'refused_again');
  if (refused !== undefined) return [refused.reason, REFUSED];
  const undone = alarms.findLast(({ type }) => type === 'edit_undo');
  if (undone !== undefined)
    return [
      `${undone.reason}${waysToFail(turns)}`,
      'Neither of the two versions is right. Read what both failures ask for, and make the one edit that satisfies them together.',
    ];
  const failure = call?.turn.failed === true ? call : null;
  const prose = turns.filter(({ failed, input }) => failed && PROSE.test(input));
  if (failure !== null && PROSE.test(failure.turn.input))
    return [
      [
        `words were sent where a command belongs, in ${prose.length} of ${turns.length} calls (they begin`,
        `${quote(failure.turn.input.slice(0, 40))}), so the shell reads them as a command: ${quote(failure.turn.errorLine)}`,
      ].join(' '),
      'Send the command alone, without the thought before it.',
    ];
  if (failure !== null) return null;
  if (call?.kind === 'ask')
    return [
      `the agent asked ${call.count} times, and nobody answered: ${quote(questionIn(call.turns.at(-1) as AgentTurn))}`,
      ANSWER,
    ];
  if (call?.kind === 'look')
    return [
      `${callText(call.turn)} gave the same answer ${call.count} times: ${quote(lineNotYet(answerOf(call.turns.at(-1) as AgentTurn)))}`,
      'Look at what it waits for: it may have failed, or need something that nobody provides. Do not ask for its state again.',
    ];
  const looks = turns.filter(({ kind }) => kind === 'read' || kind === 'search');
  const barren = looks.filter((turn) => turn.barren);
  const last = barren.at(-1);
  if (last === undefined || barren.length < BARREN_SHARE * turns.length) return null;
  return [`${barren.length} searches found nothing, the last one: ${callText(last)}`, BARREN];
}

const QUESTION = /"(?:question|prompt|message|text)" *: *"((?:[^"\\]|\\.){1,400})/;

function questionIn({ input }: AgentTurn): string {
  return QUESTION.exec(input)?.[1] ?? input;
}

/** What the versions that are taken back fail with, if they fail in two ways. */
function waysToFail(turns: readonly AgentTurn[]): string {
  const lines = new Map(
    turns.filter(({ failed }) => failed).map(({ error, errorLine }) => [error, errorLine]),
  );
  return lines.size === 0
    ? ''
    : `, and the check fails all the same: ${[...lines.values()].slice(-2).map(quote).join(' · ')}`;
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

export const ANSWER =
  'Answer the question and give the answer with the task; where no person can answer, say in the task how to decide.';
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

export const ALREADY_THERE = /\bunique constraint|\bduplicate (?:key|entry)|\balready exists\b|\bEEXIST\b/i;

/** By the error that repeats, the most telling first. */
const BY_ERROR: readonly AdviceRule[] = [
  {
    says: /' is not a package\b/,
    advice:
      'Another file of that name hides the package. Print where it comes from (`import NAME; print(NAME.__file__)`), and rename that file.',
  },
  {
    says: /\b[A-Z]+_[A-Z_]+ (?:is |was )?(?:not (?:defined|set) correctly|set to an? (?:invalid|wrong))/,
    advice:
      'The variable is set, to something that is not there. Print it, list what it names, and set it to what is installed.',
  },
  {
    says: /\bcommand not found|unknown (?:tool|command)|is not recognized as|no module named|cannot find module|JAVA_HOME/i,
    advice: MISSING,
  },
  { says: /\/bin\/[\w.+-]+: no such file/i, advice: MISSING },
  {
    says: /\b(?:missing script|no rule to make target|unknown (?:task|target|script|subcommand))\b/i,
    advice: 'There is no such script or target. List the ones that there are, and call one of them.',
  },
  {
    says: /\b(?:not unique|multiple (?:matches|occurrences)|found \d+ matches|more than once)\b/i,
    advice: 'The text to replace is not unique. Add the lines before and after it until it is.',
  },
  {
    says: oneOf(
      /\b(?:string to replace|old_?str(?:ing)?|search (?:text|block)|context).{0,40}not found|did not (?:match|appear|apply)|no match for/i,
      /\bno replacement was|(?:expected lines|hunk).{0,40}(?:failed|not|in )/,
      /\bfailed to find (?:expected|context)|patch (?:failed|does not apply)/,
    ),
    advice:
      'The text to replace is not in the file as written. Print those lines with their white space (`cat -A`), and copy them exactly.',
  },
  {
    says: /\bformatter would have|\bwould (?:be )?reformat|\bcode style issues|\bnot (?:properly )?formatted\b|needs formatting/i,
    advice:
      'Do not format by hand: let the formatter write the file (`--write`, `--fix`, `format`), then run the check once.',
  },
  {
    says: ALREADY_THERE,
    advice:
      'What it makes is there from an earlier run. Remove that first (the file, the table, the row), or skip what is there.',
  },
  {
    says: /\b(?:EADDRINUSE|address already in use|port .{0,20}(?:in use|taken|allocated))\b/i,
    advice:
      'Another process holds the port. Find it (`ss -ltnp`), end it if it is yours, or use another port.',
  },
  {
    says: /\b(?:state lock|lock (?:file|is held)|is locked|could not (?:get|open) lock|unable to (?:lock|acquire)|deadlock)\b/i,
    advice:
      'Something else holds the lock. Find out who, and whether it still lives; ask for it to be released, do not try again until then.',
  },
  {
    says: /\b(?:rate limit|too many requests|quota|429)\b/i,
    advice:
      'The service limits the calls. Wait until the limit is reset, or call it with an account that is allowed more.',
  },
  {
    says: /\b(?:connection refused|failed to connect|ECONNREFUSED|ERR_CONNECTION\w*|could not connect|cannot connect)\b/i,
    advice:
      'Nothing listens there. Read the log of the server from its first error on: it did not start; mend that before you ask it again.',
  },
  {
    says: /\b(?:merge conflict|CONFLICT|could not apply)\b/,
    advice:
      'Both sides changed the same lines. Open each file in conflict and keep what both need, before you go on.',
  },
  {
    says: /\bcircular (?:import|dependency)|partially initialized module\b/i,
    advice:
      'The modules import each other. Move what both need into a third one; another order of the imports does not help.',
  },
  {
    says: /\b(?:SyntaxError|invalid syntax|syntax error|unexpected (?:indent|EOF))|^\W{0,3}[EF]\d{3} /i,
    advice:
      'What is written does not parse. Look at the language of the file and at the lines around, then write the whole block anew.',
  },
  {
    says: /\b(?:no such file|does not exist|not found|cannot find)\b/i,
    advice:
      'It is not where the calls look for it. List the folder, or search the tree by a part of the name, before opening anything.',
  },
  {
    says: /\b(?:permission|denied|not permitted|not allowed|requires approval|not in the allowed)\b/i,
    advice:
      'It is not allowed, and asking again does not change that. A person has to allow it; until then do without it, or stop and say so.',
  },
];

function adviceFor({ turn }: Repeated): string | null {
  if (turn.ended === 'timed out')
    return 'The command does not end in time. Run a smaller part of it, with a limit of its own, and measure where the time goes.';
  return BY_ERROR.find(({ says }) => says.test(turn.errorLine))?.advice ?? null;
}

/** Each answer of the same call begins alike, although it is not the same: what it acts on stays as it is. */
export function hasNoEffect({ turn, turns }: Repeated): boolean {
  return (
    turn.kind === 'run' &&
    turns.length > 2 &&
    !/\bscroll/i.test(turn.input) &&
    new Set(turns.map(({ call }) => call)).size === 1 &&
    new Set(turns.map(({ opening }) => opening)).size === 1 &&
    new Set(turns.map(({ result }) => result)).size > 1
  );
}

/** The same call shows another part each time. */
export function isPaging({ turn, turns, count }: Repeated): boolean {
  const inputs = new Set(turns.map(({ input }) => input));
  if (inputs.size > 2 && (turn.kind === 'read' || turn.kind === 'other')) return true;
  return turn.kind !== 'test' && new Set(turns.map(({ result }) => result)).size * 2 > count;
}

function adviceForRepeating(call: Repeated | null, turns: readonly AgentTurn[]): string | null {
  if (call?.turn.failed === true && (editsFile(call.turn) || turns.some(changes)))
    return 'The edits so far did not move this failure. Print the wrong value and test the assumption that the edits share.';
  if (call === null) return null;
  if (isFinishing(call.turn.tool, call.turn.input)) return REFUSED;
  if (call.turn.failed) return null;
  if (editsFile(call.turn))
    return 'The edit was accepted each time and did not do what it was for. Look at the file as it is now, then edit it once.';
  if (call.turn.barren)
    return call.turn.kind === 'read' || call.turn.kind === 'search'
      ? BARREN
      : 'It runs and prints nothing, so it cannot tell anything. Look at what it runs, and make it print what you want to know.';
  if (hasNoEffect(call))
    return 'It has no effect, however often it is made. Reach what is wanted another way: its address, another control, another tool.';
  if (isPaging(call))
    return 'Do not page through it. Search for the name you need (`grep -n`) or open its place directly, then read only that.';
  return 'The result of this call is known and will not change. Say what is still missing, and make the call that can tell it.';
}
