/**
 * `withShownStates`: looks that end well and show, after one change and the next, that what they look at does not run (a table of
 * containers, the status of a service): they are checks, and they fail.
 */
import { oneOf } from '../../text/one-of.ts';
import { type CallKind, isShellCall } from '../call-kind.ts';
import { askedProgram, bareCommand } from '../check-mark.ts';
import { changes } from '../staleness.ts';
import { hashLoose, hashShape } from '../text-hash.ts';
import { gapsWith, type RecordedTurn } from './recorded-turn.ts';

/** A cell of a table, or the value of a field, that says that it does not run. */
const BAD_STATE = oneOf(
  /(?:^|\s)(\w*(?:BackOff|OOMKilled|ErrImagePull)|Evicted|CreateContainer\w*Error)(?=\s|$)/m,
  /(?:^|\s)(Restarting \(\d+\)|Exited \([1-9]\d*\)|\(unhealthy\))(?=\s|$)/m,
  /(?:^| {2,}|\t|\| *)(Error|ERROR|Failed|FAILED|failed|errored|crashed|unhealthy|degraded|DOWN)(?= {2,}|\t| *\||$)/m,
  /\b(?:status|state|active|phase|health)["']?\s*[:=]\s*["']?(failed|error|unhealthy|crashed|degraded|down|dead)\b/m,
);
/** To show a file is no look at what runs. */
const LOOKS: ReadonlySet<CallKind> = new Set(['run', 'wait', 'test']);
/** What puts a change to work. */
const PUTS =
  /\b(?:apply|upgrade|deploy|restart|up|set|patch|rollout|start|scale|push|install|reload|update)\b/;
/** As often it is shown, with a change before each but the first. */
const SHOWN = 3;
const SCANNED_CHARS = 4_000;

export function withShownStates(turns: readonly RecordedTurn[]): readonly RecordedTurn[] {
  const looks = turns.filter(
    ({ failed, kind, tool, input }) => !failed && LOOKS.has(kind) && isShellCall(tool, input),
  );
  const failing = new Map<RecordedTurn, string>();
  const asked = new Set<RecordedTurn>();
  for (const same of Map.groupBy(looks, ({ input }) => askedProgram(input)).values()) {
    // What runs in the end is well.
    if (same.length < SHOWN || stateIn((same.at(-1) as RecordedTurn).output) === null) continue;
    const bad = same.flatMap((turn) => {
      const state = stateIn(turn.output);
      return state === null ? [] : [{ turn, state }];
    });
    const members = bad.map(({ turn }) => turn);
    if (bad.length < SHOWN || gapsWith(turns, members, putsChange) < SHOWN - 1) continue;
    for (const turn of same) asked.add(turn);
    for (const { turn, state } of bad) failing.set(turn, state);
  }
  if (asked.size === 0) return turns;
  return turns.map((turn) => {
    if (!asked.has(turn)) return turn;
    const line = failing.get(turn);
    const look = { ...turn, kind: 'test' as const, waiting: null };
    return line === undefined
      ? look
      : {
          ...look,
          failed: true,
          isState: true,
          errorLine: line,
          error: hashLoose(line),
          complaint: hashShape(line),
        };
  });
}

function putsChange(turn: RecordedTurn): boolean {
  return changes(turn) || (!turn.failed && turn.kind === 'run' && PUTS.test(bareCommand(turn.input)));
}

/** The state, and what is in it by the part of its name that does not change with each start. */
function stateIn(output: string): string | null {
  const text = output.slice(0, SCANNED_CHARS);
  const found = BAD_STATE.exec(text);
  const state = found?.slice(1).find((each) => each !== undefined);
  if (found === null || state === undefined) return null;
  const from = text.lastIndexOf('\n', found.index + found[0].length - state.length) + 1;
  const [first = ''] = text.slice(from).trim().split(/\s+/);
  const stem = first
    .split('-')
    .filter((part) => !/\d/.test(part))
    .join('-');
  return /^[A-Za-z][\w.-]*$/.test(stem) && stem !== state ? `${stem}: ${state}` : state;
}
