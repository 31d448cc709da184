/** `RecordedTurn`, `recordTurn`, `passes`: a turn of a run that is over, with all that its call was given and printed. */
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import type { AgentTurn } from '../agent-turn.ts';
import { commandOf } from '../call-kind.ts';
import { FAILED_COUNT } from '../../text/failed-count.ts';
import { deepestLine } from '../deepest-line.ts';
import { tellingLine } from '../failing-names.ts';
import { withoutStatus } from '../result-text.ts';
import { hashLoose } from '../text-hash.ts';

export interface RecordedTurn extends AgentTurn {
  /** The whole input; empty for an error of the harness, which belongs to no call. */
  readonly given: string;
  /** Without the status that a harness wrote around it; of an error of the harness, the line that names it. */
  readonly output: string;
}

/** What is another number in each run: of a process, an address, a key. */
const OF_ONE_RUN = /(?<=#PID<)[\d.]+(?=>)|\b0x[\da-f]{6,}\b|\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{16,}\b/g;

/** The exit code of such a line is that of the filter. */
const FILTERED = /\|\s*(?:grep|egrep|rg|head|tail|sed|awk|cut)\b/;
/** A compiler names the place of its error. */
const PLACED_ERROR = /^(?:\.{0,2}\/)?[\w@./+-]{1,200}:\d+(?::\d+)?:? (?:fatal )?error\b.*$/m;

/** A check that went through a filter failed, if what the filter let through is an error with its place. */
function readFiltered(turn: AgentTurn, output: string): AgentTurn {
  const line =
    turn.kind === 'test' && !turn.failed && FILTERED.test(commandOf(turn.input))
      ? PLACED_ERROR.exec(output)?.[0].slice(0, LONGEST)
      : undefined;
  return line === undefined ? turn : { ...turn, failed: true, errorLine: line, error: hashLoose(line) };
}

const LONGEST = 240;

export function recordTurn(entries: readonly TranscriptEntry[], noticed: AgentTurn): RecordedTurn {
  const [call, result] = [entries[noticed.callStep], entries[noticed.step]];
  const output = result?.type === 'tool_result' ? withoutStatus(result.output) : noticed.errorLine;
  const turn = readFiltered(noticed, output);
  const told = tellingLine(turn.errorLine, output).replace(OF_ONE_RUN, '…');
  const errorLine = (turn.failed ? deepestLine(told, output) : told).replace(OF_ONE_RUN, '…');
  // A runner that counts what failed came to its end: what ran out was the time of one test.
  const ended = turn.ended === 'timed out' && FAILED_COUNT.test(lastLine(output)) ? null : turn.ended;
  const isKept = told === turn.errorLine && ended === turn.ended;
  return {
    ...turn,
    errorLine,
    ended,
    error: isKept || ended !== null ? turn.error : hashLoose(told),
    given: call?.type === 'tool_call' ? call.input : '',
    output,
  };
}

function lastLine(output: string): string {
  return output.trimEnd().split('\n').at(-1) ?? '';
}

const CUTS_END = /\|\s*head\b/;
const PASSED = /\b(?:pass\w*|ok|success\w*|0 fail\w*)\b/i;

/** A check did not fail; where a pipe cut off its end, it has to say so. */
export function passes({ failed, input, output }: RecordedTurn): boolean {
  return !failed && (!CUTS_END.test(commandOf(input)) || output.trim() === '' || PASSED.test(output));
}

/** In how many of the gaps between two members another turn fits. In one pass: a long session has thousands of both. */
export function gapsWith(
  turns: readonly RecordedTurn[],
  members: readonly RecordedTurn[],
  fits: (turn: RecordedTurn) => boolean,
): number {
  let at = 0;
  return members.filter((member, index) => {
    const end = members[index + 1]?.callStep ?? 0;
    for (; at < turns.length && (turns[at] as RecordedTurn).step < end; at++) {
      const turn = turns[at] as RecordedTurn;
      if (turn.step > member.step && fits(turn)) return true;
    }
    return false;
  }).length;
}
