/** `timeline`: the few calls of a run that its story is about, each with its place. `firstMet`: the first one that met what repeats. */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import type { RecordedTurn } from '../../core/detect/autopsy/recorded-turn.ts';
import { allOf } from '../../core/detect/autopsy/repeated-turns.ts';
import { editedPath } from '../../core/detect/autopsy/side-effects.ts';
import { callText, quote } from '../../core/detect/detector.ts';
import { effort, wastedTurns } from './repeated-told.ts';
import type { CallPlaces } from './turns.ts';

export type Timeline = readonly (readonly [when: string, what: string])[];

export function timeline(found: Autopsy, at: CallPlaces): Timeline {
  const lines: { readonly step: number; readonly when: string; readonly what: string }[] = [];
  const add = (step: number, what: string, until = '') =>
    lines.push({ step, when: `${until === '' ? 'call ' : ''}${at.of(step)[0]}${until}`, what });
  const { lastChange, lastGreen, repeats, firstStuckStep, gotOver, overIn, turns } = found;
  const before = firstStuckStep === null ? '' : ' before that';
  if (lastChange !== null)
    add(lastChange.callStep, `last change${before}: ${editedPath(lastChange) ?? callText(lastChange)}`);
  if (lastGreen !== null && found.state !== 'finished')
    add(lastGreen.callStep, `last green check${before}: \`${callText(lastGreen)}\``);
  if (gotOver !== null) {
    const until = at.of(gotOver.turns.at(-1)?.callStep ?? gotOver.fromStep)[0];
    const did = effort(gotOver.turns, turns, gotOver.groups[0] ?? null);
    add(gotOver.fromStep, `stuck: ${did}; then it got over that`, `-${until}`);
  }
  if (firstStuckStep !== null) {
    const wasted = wastedTurns(found);
    const first = firstMet(found) ?? wasted[0];
    if (first !== undefined) add(first.callStep, firstTime(first, repeats));
    const last = wasted.at(-1)?.callStep ?? firstStuckStep;
    add(firstStuckStep, effort(wasted, turns, repeats), `-${at.of(last)[0]}`);
    if (overIn !== null) add(overIn.callStep, `\`${callText(overIn)}\` gets over that`);
  } else if (repeats !== null) {
    const { first, last } = repeats;
    add(first.callStep, firstTime(first, repeats));
    if (last !== first) add(last.callStep, `the same again, ${repeats.count} times in all`);
  }
  return lines.sort((a, b) => at.of(a.step)[0] - at.of(b.step)[0]).map(({ when, what }) => [when, what]);
}

export function firstMet({ turns, repeats }: Autopsy): RecordedTurn | null {
  return repeats === null ? null : (allOf(turns, repeats)[0] ?? null);
}

function firstTime(turn: RecordedTurn, repeats: Autopsy['repeats']): string {
  const isFailure = turn.failed && repeats?.kind !== 'look';
  return `\`${callText(turn)}\`${isFailure ? ` fails: ${quote(turn.errorLine)}` : ', for the first time'}`;
}
