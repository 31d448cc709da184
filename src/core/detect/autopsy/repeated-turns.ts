/** `repeated`, `repeatedBy`, `sameTurns`, `allOf`: the turns that were made again and again, in groups. */
import { isShellCall } from '../call-kind.ts';
import { askedProgram, bareCommand, checkOf, isWorkAfterPause } from '../check-mark.ts';
import { changes } from '../staleness.ts';
import { hashLoose } from '../text-hash.ts';
import type { RecordedTurn } from './recorded-turn.ts';

export type GroupKind = 'error' | 'check' | 'complaint' | 'ask' | 'look' | 'call';

export interface Repeated {
  readonly kind: GroupKind;
  readonly key: string;
  /** The first of the most frequent: of a check that fails in several ways, by its error; of calls that differ a little, by the call. */
  readonly turn: RecordedTurn;
  readonly turns: readonly RecordedTurn[];
  readonly first: RecordedTurn;
  readonly last: RecordedTurn;
  /** How often exactly that came: of a stretch, in the whole record (`allOf`), otherwise in `turns`. */
  readonly count: number;
}

/** `turns`: at least one. */
export function repeatedBy(
  kind: GroupKind,
  key: string,
  turns: readonly RecordedTurn[],
  turn = usual(turns),
): Repeated {
  const [first, last] = [turns[0] as RecordedTurn, turns.at(-1) as RecordedTurn];
  return { kind, key, turn, turns, first, last, count: turns.length };
}

const LISTED = 5;

/** The groups without success, the most frequent first; a group that mostly consists of turns of an earlier one is left out. */
export function repeated(turns: readonly RecordedTurn[]): readonly Repeated[] {
  const groups = new Map<string, { readonly kind: GroupKind; readonly members: RecordedTurn[] }>();
  for (const turn of turns)
    for (const [kind, mark] of marksOf(turn)) {
      const known = groups.get(`${kind} ${mark}`);
      if (known === undefined) groups.set(`${kind} ${mark}`, { kind, members: [turn] });
      else known.members.push(turn);
    }
  const told = new Set<RecordedTurn>();
  const found: Repeated[] = [];
  const byCount = [...groups]
    .map(([key, { kind, members }]) => ({
      key,
      kind,
      members: kind === 'look' ? sinceMoved(members) : members,
    }))
    .sort((a, b) => b.members.length - a.members.length);
  for (const { key, kind, members } of byCount) {
    if (members.length < 2 || found.length === LISTED) break;
    if (members.filter((turn) => told.has(turn)).length * 2 > members.length) continue;
    for (const turn of members) told.add(turn);
    found.push(repeatedBy(kind, key, members));
  }
  return found;
}

export function sameTurns(turns: readonly RecordedTurn[], key: string): readonly RecordedTurn[] {
  return turns.filter((turn) => marksOf(turn).some(([kind, mark]) => `${kind} ${mark}` === key));
}

/** All turns of the record that are what a group is named after: of a check that fails in several ways, with the error that it names. */
function occurrences(
  turns: readonly RecordedTurn[],
  { key, kind, turn, turns: members }: Repeated,
): readonly RecordedTurn[] {
  const same = sameTurns(turns, key).filter(({ error }) => kind !== 'check' || error === turn.error);
  return same.length === 0 || kind === 'look' ? members : same;
}

/** A stretch begins after the last progress; what repeats in it may have come before. */
export function allOf(turns: readonly RecordedTurn[], group: Repeated): readonly RecordedTurn[] {
  const { kind, turn } = group;
  if (failsOtherwise(group)) return group.turns;
  // One error is the same whichever tool shows it.
  return (kind === 'error' || kind === 'check') && turn.failed && turn.ended === null
    ? turns.filter(({ failed, error }) => failed && error === turn.error)
    : occurrences(turns, group);
}

/** A check that failed in another way each time: only that it failed is the same. */
export function failsOtherwise({ kind, turn, turns }: Repeated): boolean {
  return kind === 'check' && turns.every((each) => each === turn || each.error !== turn.error);
}

/** The looks at a state since it last changed: since one of them had another answer than the same look before. */
export function sinceMoved(looks: readonly RecordedTurn[]): readonly RecordedTurn[] {
  const answers = new Map<string, number>();
  let from = 0;
  for (const [at, { input, opening }] of looks.entries()) {
    const look = bareCommand(input);
    if (answers.has(look) && answers.get(look) !== opening) from = at;
    answers.set(look, opening);
  }
  return looks.slice(from);
}

/** The most exact first: of groups of one size, the first is told. */
function marksOf(turn: RecordedTurn): readonly (readonly [GroupKind, string | number])[] {
  if (turn.kind === 'plan') return [];
  if (turn.kind === 'ask') return [['ask', turn.opening]];
  const looks =
    turn.waiting === null || isWorkAfterPause(turn) ? [] : [['look', askedProgram(turn.input)] as const];
  if (!turn.failed) return looks.length > 0 ? looks : [['call', callMark(turn)]];
  const check = checkOf(turn);
  return [
    ['error', turn.ended ?? `${turn.error} ${turn.tool}`],
    ...(check === 0 ? [] : [['check', check] as const]),
    ['complaint', `${turn.complaint} ${turn.tool}`],
    ...looks,
  ];
}

/** The kept part of a longer input does not tell all of it. */
const WHOLE_CHARS = 400;

function callMark(turn: RecordedTurn): number {
  // Where an edit goes is a number.
  if (editsFile(turn)) return turn.call;
  const { tool, input, callLoose } = turn;
  return input.length < WHOLE_CHARS && isShellCall(tool, input)
    ? hashLoose(`${tool} ${bareCommand(input)}`)
    : callLoose;
}

/** True for the call of an editor; a command line that installs or moves something counts as a change, but is run like any other. */
export function editsFile({ kind, tool, input }: RecordedTurn): boolean {
  return kind === 'edit' && !isShellCall(tool, input);
}

export function editsWithin(
  turns: readonly RecordedTurn[],
  after: number,
  before = Infinity,
): readonly RecordedTurn[] {
  return turns.filter((turn) => changes(turn) && turn.step > after && turn.step < before);
}

/** The first turn of the most frequent call among those with the most frequent error. */
function usual(members: readonly RecordedTurn[]): RecordedTurn {
  const alike = mostOf(members, ({ error }) => error);
  return mostOf(alike, ({ call }) => call)[0] as RecordedTurn;
}

function mostOf(
  turns: readonly RecordedTurn[],
  mark: (turn: RecordedTurn) => number,
): readonly RecordedTurn[] {
  const groups = [...Map.groupBy(turns, mark).values()];
  return groups.reduce((most, each) => (each.length > most.length ? each : most));
}
