/**
 * `stuckStretch`: where a run that did not recover got stuck, and in what. The first try of anything is honest work, and so is the first
 * try after a change: the stretch begins where the same is done once more than that.
 */
import type { Signal } from '../../vocabulary/signal.ts';
import { checkOf } from '../check-mark.ts';
import { missingTool } from '../detectors/loops/tool-missing.ts';
import { changes } from '../staleness.ts';
import { passes, type RecordedTurn } from './recorded-turn.ts';
import {
  allOf,
  editsFile,
  editsWithin,
  type GroupKind,
  type Repeated,
  repeated,
  repeatedBy,
  sameTurns,
  sinceMoved,
} from './repeated-turns.ts';

export interface StuckStretch {
  readonly fromStep: number;
  /** What was done again and again, the most frequent first. */
  readonly groups: readonly Repeated[];
  /** The turns from `fromStep` on. */
  readonly turns: readonly RecordedTurn[];
}

/** This many useful turns after a trouble show that the run got over it. */
export const RECOVERED_TURNS = 8;
/** Between two equal failures or calls, this many useful turns were spent on something else. */
const OTHER_WORK_TURNS = 3;
/** A smaller share of the turns is a part of the trouble, not the trouble. */
const MAIN_SHARE = 1 / 3;

/** `signals`: the ones that nothing resolved. */
export function stuckStretch(turns: readonly RecordedTurn[], signals: readonly Signal[]): StuckStretch {
  const undone = signals.find(({ type }) => type === 'edit_undo');
  const since =
    undone?.sinceStep ?? Math.min(...signals.map(({ sinceStep, atStep }) => sinceStep ?? atStep ?? Infinity));
  const window = turns.filter(({ step }) => step >= since);
  const groups = repeated(window);
  // What fails in each round of a cycle tells more than the calls around it.
  const isMissing = signals.some(({ type }) => type === 'tool_missing');
  const most =
    (isMissing ? groups.find(({ turn }) => missingTool(turn) !== null) : undefined) ??
    groups.find(({ turn, count }) => turn.failed && count >= (groups[0]?.count ?? 0) - 1) ??
    groups[0];
  if (most === undefined || (most.count < window.length * MAIN_SHARE && !isMissing)) {
    const fromStep = firstBarren(turns, since);
    const told = groups.map((group) => ({ ...group, count: allOf(turns, group).length }));
    return { fromStep, groups: told, turns: turns.filter(({ callStep }) => callStep >= fromStep) };
  }
  const main = stretched(turns, most, since);
  if (undone !== undefined) return stretchOf(turns, main, window[0]?.callStep ?? since);
  // What is looked for instead of a missing program is a part of the trouble.
  const before = isMissing ? firstBarren(turns, since) : since;
  const looked = isMissing ? Math.min(before < since ? before : Infinity, thirdLook(turns, main)) : Infinity;
  return stretchOf(turns, main, Math.min(looked, beginning(turns, main)));
}

/** The third search between the first failure of a missing program and the next. */
function thirdLook(turns: readonly RecordedTurn[], { turns: [first, second] }: Repeated): number {
  const looks = turns.filter(
    ({ kind, step }) => kind === 'search' && step > (first?.step ?? 0) && step < (second?.callStep ?? 0),
  );
  return looks[2]?.callStep ?? Infinity;
}

/** Empty looks that follow each other are one search: it began with the second of them. */
function firstBarren(turns: readonly RecordedTurn[], since: number): number {
  const at = turns.findIndex(({ step }) => step >= since);
  let begin = since;
  let useful = 0;
  for (let i = at - 1; i >= 0 && useful <= OTHER_WORK_TURNS; i--) {
    const turn = turns[i] as RecordedTurn;
    if (changes(turn)) break;
    if (isUseful(turn)) useful++;
    else if (turn.barren || (turn.failed && (turn.kind === 'read' || turn.kind === 'search')))
      [begin, useful] = [turns[i + 1]?.callStep ?? since, 0];
  }
  return begin;
}

/** How often the same must fail, be asked or be looked at, up to the end of the record, to be a trouble of its own. */
const ENDLESS: Readonly<Record<GroupKind, number>> = {
  error: 6,
  check: 6,
  complaint: 8,
  ask: 3,
  look: 6,
  call: Infinity,
};

/** What a run did again and again up to its end: only afterwards is it clear that nothing came of it. */
export function endlessStretch(turns: readonly RecordedTurn[]): StuckStretch | null {
  for (const group of repeated(turns)) {
    const main = stretched(turns, group, Infinity);
    const { last } = main;
    const later = turns.slice(turns.indexOf(last) + 1);
    const isRun = main.turn.failed && main.turns.every(({ kind }) => kind === 'run' || kind === 'test');
    if (
      main.count < (isRun ? ENDLESS.error : ENDLESS[main.kind]) ||
      usefulAfter(turns, last.step) >= RECOVERED_TURNS
    )
      continue;
    if (!passed(last, later)) return stretchOf(turns, main, null);
  }
  return null;
}

/** What a run left behind: `check`, its last one, which is red; otherwise, if it was not done, what failed again and never passed. */
export function openStretch(
  turns: readonly RecordedTurn[],
  check: RecordedTurn | null,
  isDone: boolean,
): StuckStretch | null {
  const failing = repeated(turns).filter(({ turn }) => turn.failed);
  if (check !== null) {
    const group = failing.find((each) => each.turns.includes(check));
    const red =
      group === undefined
        ? repeatedBy('check', '', [check])
        : stretched(turns, { ...group, kind: 'check' }, Infinity);
    return stretchOf(turns, red, null);
  }
  for (const group of isDone ? [] : failing) {
    const main = stretched(turns, group, Infinity);
    if (main.count > 1 && !passed(main.last, turns.slice(turns.indexOf(main.last) + 1)))
      return stretchOf(turns, main, null);
  }
  return null;
}

function stretchOf(turns: readonly RecordedTurn[], main: Repeated, begin: number | null): StuckStretch {
  const fromStep = begin ?? beginning(turns, main);
  const others = repeated(turns.filter(({ callStep }) => callStep >= main.first.callStep));
  return {
    fromStep,
    groups: [{ ...main, count: allOf(turns, main).length }, ...others.filter(({ key }) => key !== main.key)],
    turns: turns.filter(({ callStep }) => callStep >= fromStep),
  };
}

export function usefulAfter(turns: readonly RecordedTurn[], step: number): number {
  return turns.filter((turn) => turn.step > step && isUseful(turn)).length;
}

function isUseful({ failed, barren, kind, waiting }: RecordedTurn): boolean {
  return !failed && !barren && kind !== 'ask' && kind !== 'plan' && waiting === null;
}

/** All turns of the group from `since` on, or from the last one if that is earlier, and before them back to the last real progress. */
function stretched(turns: readonly RecordedTurn[], { key, kind }: Repeated, since: number): Repeated {
  const all = sameTurns(turns, key);
  const places = new Map(turns.map((each, at) => [each, at]));
  const between = (from: number) =>
    turns.slice(
      (places.get(all[from - 1] as RecordedTurn) as number) + 1,
      places.get(all[from] as RecordedTurn),
    );
  const inside = all.findIndex(({ callStep }) => callStep >= since);
  let from = inside < 0 ? all.length - 1 : inside;
  while (from > 0 && !gotOver(all[from] as RecordedTurn, between(from), kind)) from--;
  const kept = all.slice(from);
  const members = kind === 'check' ? afterNewErrors(kept) : kind === 'look' ? sinceMoved(kept) : kept;
  return repeatedBy(kind, key, members);
}

/** True: the check passed meanwhile, or so much else was done that the next failure is another trouble. */
function gotOver(turn: RecordedTurn, meanwhile: readonly RecordedTurn[], kind: GroupKind): boolean {
  // A look after a change asks something new.
  if (kind === 'look' && meanwhile.some(changes)) return true;
  const enough = kind === 'check' || turn.kind === 'test' ? 2 * RECOVERED_TURNS : OTHER_WORK_TURNS;
  const isOther =
    missingTool(turn) === null ? isUseful : (each: RecordedTurn) => isUseful(each) && each.kind !== 'search';
  if (meanwhile.filter(isOther).length >= enough) return true;
  // A check that passes and then fails with nothing changed in between did not pass.
  return passed(turn, meanwhile.slice(0, meanwhile.findLastIndex(changes) + 1));
}

function passed(turn: RecordedTurn, later: readonly RecordedTurn[]): boolean {
  const check = turn.failed && turn.kind !== 'edit' ? checkOf(turn) : 0;
  return check !== 0 && later.some((each) => passes(each) && checkOf(each) === check);
}

/** A check that fails in a new way moved; what counts begins with the last new error that came back. */
function afterNewErrors(members: readonly RecordedTurn[]): readonly RecordedTurn[] {
  const seen: { readonly words: ReadonlySet<string>; readonly at: number[] }[] = [];
  for (const [place, { errorLine }] of members.entries()) {
    const words = new Set(errorLine.match(/[A-Za-z_]{2,}/g));
    const known = seen.find((each) => isAlike(each.words, words));
    if (known === undefined) seen.push({ words, at: [place] });
    else known.at.push(place);
  }
  const comingBack = seen.filter(({ at }) => at.length > 1);
  return members.slice(Math.max(0, ...comingBack.map(({ at }) => at[0] ?? 0)));
}

/** Two wordings of one error: most words of the shorter one stand in the other. */
const ALIKE_SHARE = 0.7;

function isAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  const shared = [...few].filter((word) => many.has(word)).length;
  return shared >= few.size * ALIKE_SHARE && many.size <= 3 * (few.size + 1);
}

/** After a change, with another edit or another call, and where something is waited for, the second time is honest as well. */
function beginning(turns: readonly RecordedTurn[], { turns: members, kind }: Repeated): number {
  const [first, second] = members as readonly [RecordedTurn, RecordedTurn?];
  // The very same call that fails again was not mended by what came in between.
  const known = first.call === second?.call ? null : firstWithoutGain(turns, members);
  if (known !== null) return known.callStep;
  const isEdited = editsFile(first) || editsWithin(turns, first.step, second?.callStep ?? 0).length > 0;
  const isOtherCall = kind === 'complaint' && second?.callLoose !== first.callLoose;
  return (members[isEdited || isOtherCall || kind === 'look' ? 2 : 1] ?? second ?? first).callStep;
}

/** So often an error was mended at once and told something new, before that counts as the way this run works. */
const GAINS = 2;

/** An error whose correction at once brings a new answer is work: the first one whose correction tells what is known; null without such. */
function firstWithoutGain(
  turns: readonly RecordedTurn[],
  members: readonly RecordedTurn[],
): RecordedTurn | null {
  const at = members.findIndex((member) => !isMendedAtOnce(turns, member));
  return at < GAINS ? null : (members[at] as RecordedTurn);
}

function isMendedAtOnce(turns: readonly RecordedTurn[], failed: RecordedTurn): boolean {
  const at = turns.indexOf(failed);
  const next = turns[at + 1];
  if (!failed.failed || next === undefined || next.failed || next.barren || next.tool !== failed.tool)
    return false;
  return !turns.slice(0, at).some(({ result }) => result === next.result);
}
