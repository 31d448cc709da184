/**
 * `repeatedLines`: notices that a plain command prints the same block of lines over and over while no file changes. The lines of each
 * stream are compared among themselves, because how the two are mixed is chance; a new line in either is news.
 *
 *   it states a failure                      `repeat_warn_ms`, and `repeat_stop_ms` from ROUNDS_STOP rounds on
 *   it states a failure and says it waits    `poll_warn_ms`, `poll_stop_ms`
 *   it states no failure (a heartbeat)       `poll_warn_ms`; never stopped
 *
 * After a `session` entry it is silent: the agent speaks a protocol, and other detectors judge it.
 */
import { minutes } from '../../../text/minutes.ts';
import type { Policy } from '../../../vocabulary/policy.ts';
import { type Detector, type Level, levelOf, type Moment, quote, raise, severityOf } from '../../detector.ts';
import { lineMark, saysWaiting, statesFailure } from '../../output-line.ts';
import { followRuns, roundsOf } from '../../rounds.ts';

interface Place {
  readonly at: number;
  readonly step: number;
}

interface Line extends Place {
  readonly mark: number;
  readonly text: string;
}

interface Block {
  readonly lines: readonly string[];
  /** The line that states the failure. */
  readonly failure: string | undefined;
  readonly waits: boolean;
}

interface Stream {
  readonly recent: readonly Line[];
  /** By the length of a block: see `followRuns`. */
  readonly runs: readonly number[];
  /** How many lines the block has that is repeated now; 0: none is. */
  readonly length: number;
  /** Where the first round of the block began. */
  readonly since: Place;
  /** The last line that was outside of any block. */
  readonly news: Place;
  /** Read once when the block has come often enough. */
  readonly block: Block | null;
}

interface LinesState {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly heardAt: number;
  readonly raised: Level;
  readonly speaksProtocol: boolean;
}

const NEVER: Place = { at: -1, step: -1 };
const SILENT: Stream = { recent: [], runs: [], length: 0, since: NEVER, news: NEVER, block: null };
const NONE: LinesState = { stdout: SILENT, stderr: SILENT, heardAt: 0, raised: 0, speaksProtocol: false };
const SPEAKS: LinesState = { ...NONE, speaksProtocol: true };

/** The summary of a failing check with a few lines around it fits; longer output of one check tells more than that it fails. */
const BLOCK_LINES = 20;
/** Two whole rounds make a block, and it began with the first. */
const KEPT_LINES = 2 * BLOCK_LINES;
/** Fewer rounds are a few tries, however long they take. */
const ROUNDS_WARN = 5;
const ROUNDS_STOP = 20;
/** After a longer pause the rounds are counted anew: the machine may have slept, and silence is judged elsewhere. */
const PAUSE_MS = 5 * 60_000;
const EVIDENCE = 6;

export const repeatedLines: Detector<LinesState> = {
  name: 'same lines again',
  init: NONE,
  next: (state, moment) => {
    const { entry, step, policy } = moment;
    if (entry.type !== 'output') return [afterOther(state, moment), []];
    const { at, text } = entry;
    if (state.speaksProtocol || text.trim() === '') return [state, []];
    const before = at < state.heardAt || at - state.heardAt > PAUSE_MS ? NONE : state;
    const stream = followLine(before[entry.stream], { at, step, mark: lineMark(text), text });
    const other = before[entry.stream === 'stdout' ? 'stderr' : 'stdout'];
    const raised = stream.length === 0 ? 0 : before.raised;
    const next = { ...before, [entry.stream]: stream, heardAt: at, raised };
    const { block, length, runs } = stream;
    if (block === null || raised === 2) return [next, []];
    const since = other.news.at > stream.since.at ? other.news : stream.since;
    const rounds = roundsOf(runs, length);
    const lastedMs = at - since.at;
    const waits = block.waits || other.block?.waits === true;
    const fails = block.failure !== undefined;
    const level = levelOfBlock({ lastedMs, rounds, fails, waits }, policy);
    if (level === 0 || level <= raised) return [next, []];
    const lines = length === 1 ? 'the same line' : `the same ${length} lines`;
    const about = {
      sinceAt: since.at,
      sinceStep: since.step,
      evidence: block.lines.slice(0, EVIDENCE),
      disproof: 'a line that was not printed before, or a changed file',
    };
    if (!fails || waits)
      return raise({ ...next, raised: level }, entry, step, {
        type: 'stalled',
        severity: severityOf(level),
        reason: `prints nothing but ${lines} for ${minutes(lastedMs)}: ${block.failure ?? block.lines.at(-1) ?? ''}`,
        confidence: level === 2 ? 0.8 : 0.4,
        suggestedAction: 'look at what it waits for; it may have failed without saying so',
        ...about,
      });
    return raise({ ...next, raised: level }, entry, step, {
      type: 'repeated_error',
      severity: severityOf(level),
      reason: `prints ${lines} over and over, ${rounds} times in ${minutes(lastedMs)}: ${block.failure}`,
      confidence: level === 2 ? 0.9 : 0.6,
      suggestedAction: 'find the cause of what it prints; the program will not get over it by trying again',
      ...about,
    });
  },
};

function afterOther(state: LinesState, { entry, step, trail }: Moment): LinesState {
  if (entry.type === 'session') return SPEAKS;
  if (state.speaksProtocol) return state;
  const isNews =
    entry.type === 'tool_call' ||
    entry.type === 'message' ||
    (entry.type === 'progress' && trail.progressStep === step);
  return isNews ? NONE : state;
}

function followLine({ recent, runs: before, ...stream }: Stream, line: Line): Stream {
  const runs = followRuns(before, recent, line, BLOCK_LINES, (one, other) => one.mark === other.mark);
  const heard = { recent: [...recent.slice(1 - KEPT_LINES), line], runs };
  if ((runs[stream.length - 1] ?? 0) > 0) {
    const isDue = stream.block === null && roundsOf(runs, stream.length) >= ROUNDS_WARN;
    return {
      ...stream,
      ...heard,
      block: isDue ? readBlock(heard.recent.slice(-stream.length)) : stream.block,
    };
  }
  // The shortest length of which one whole round was repeated; 0: none.
  const length = 1 + runs.findIndex((run, index) => run > index);
  if (length === 0) return { ...heard, length, since: line, news: line, block: null };
  return { ...stream, ...heard, length, since: heard.recent.at(-2 * length) ?? line, block: null };
}

function readBlock(recent: readonly Line[]): Block {
  const lines = recent.map(({ text }) => quote(text));
  return { lines, failure: lines.find(statesFailure), waits: lines.some(saysWaiting) };
}

interface Lasting extends Pick<Block, 'waits'> {
  readonly lastedMs: number;
  readonly rounds: number;
  readonly fails: boolean;
}

function levelOfBlock({ lastedMs, rounds, fails, waits }: Lasting, policy: Policy): Level {
  if (fails && !waits)
    return levelOf(lastedMs, policy.repeat_warn_ms, rounds >= ROUNDS_STOP ? policy.repeat_stop_ms : Infinity);
  const level = levelOf(lastedMs, policy.poll_warn_ms, policy.poll_stop_ms);
  return level === 2 && !fails ? 1 : level;
}
